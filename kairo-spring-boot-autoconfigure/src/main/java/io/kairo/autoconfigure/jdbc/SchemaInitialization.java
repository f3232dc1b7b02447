package io.kairo.autoconfigure.jdbc;

/**
 * The databases in which tables are created.
 */
public enum SchemaInitialization {

	/** Always create the tables. */
	ALWAYS,

	/** Only create the tables of an embedded database. */
	EMBEDDED,

	/** Never create the tables. */
	NEVER

}
