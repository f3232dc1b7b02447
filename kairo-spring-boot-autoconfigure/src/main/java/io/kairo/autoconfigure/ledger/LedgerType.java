package io.kairo.autoconfigure.ledger;

/**
 * The ledgers of usage that Kairo brings.
 */
public enum LedgerType {

	/** Memory of the application, which forgets the usage when it ends. */
	MEMORY,

	/** A table of a database, which all instances of the application share. */
	JDBC

}
