package io.kairo.autoconfigure.ledger;

/**
 * The ledgers of usage that Kairo brings.
 */
public enum LedgerType {

	/** Memory of the application. The usage is forgotten when the application ends. */
	MEMORY,

	/** A table of a database, shared by all instances of the application. */
	JDBC

}
