package io.kairo.autoconfigure.audit;

/**
 * The sinks of audit records that Kairo brings.
 */
public enum AuditSinkType {

	/** The log of the application, with one event for each record. */
	LOG,

	/** Files in a directory. */
	FILE,

	/** A table of a database. */
	JDBC

}
