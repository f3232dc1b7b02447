package io.kairo.governance.audit;

import java.util.List;

/**
 * The result of the verification of a chain. Immutable.
 *
 * @param records the number of records that were read
 * @param first the number of the first record, 0 if there is none; above 1 if older files
 * were removed
 * @param head the last record
 * @param findings the problems, at most 100, copied
 * @param moreFindings the number of further problems
 */
public record ChainReport(long records, long first, ChainHead head, List<Finding> findings, long moreFindings) {

	/**
	 * Creates the value.
	 */
	public ChainReport {
		findings = List.copyOf(findings);
	}

	/**
	 * Returns whether no problem was found.
	 * @return true if the chain is intact
	 */
	public boolean intact() {
		return this.findings.isEmpty();
	}

	/**
	 * A problem of a chain.
	 *
	 * @param kind the kind of the problem
	 * @param sequence the number of the record
	 * @param message the problem, with the place of the record
	 */
	public record Finding(Kind kind, long sequence, String message) {

	}

	/**
	 * The kind of a problem.
	 */
	public enum Kind {

		/** The record was changed or replaced. */
		CHANGED,

		/** The record is missing. */
		MISSING,

		/** The record is at another place. */
		REORDERED,

		/** There is another record with the same number. */
		REPEATED,

		/** There is something that is not a record. */
		UNREADABLE

	}

}
