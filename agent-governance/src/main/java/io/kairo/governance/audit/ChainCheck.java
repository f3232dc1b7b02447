package io.kairo.governance.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

import io.kairo.governance.audit.ChainReport.Finding;
import io.kairo.governance.audit.ChainReport.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The verification of a chain, record by record in the order of their storage. Memory
 * does not grow with the number of records. For use by one thread.
 */
public final class ChainCheck {

	private static final int MAX_FINDINGS = 100;

	/** The end of the message about a record that was changed, or has another key. */
	static final String OTHER_HASH = " does not have the hash of its content";

	private final HashChain chain;

	private final Optional<ChainHead> known;

	private final List<Finding> findings = new ArrayList<>();

	/** The numbers that were skipped: first to last. */
	private final NavigableMap<Long, Long> gaps = new TreeMap<>();

	private long moreFindings;

	private long records;

	private long first;

	private ChainHead head = ChainHead.NONE;

	/** The record before the first one. */
	private ChainHead removed = ChainHead.NONE;

	private boolean knownSeen;

	/**
	 * Creates the verification.
	 * @param chain the hashes of the chain
	 * @param known a head that the chain must contain; empty if none is known
	 */
	public ChainCheck(HashChain chain, Optional<ChainHead> known) {
		this.chain = chain;
		this.known = known;
		this.knownSeen = known.isEmpty() || known.get().equals(ChainHead.NONE);
	}

	/**
	 * Adds something that is not a record.
	 * @param place where it is
	 */
	public void unreadable(String place) {
		find(Kind.UNREADABLE, this.head.sequence(), place + " is not a record");
	}

	/**
	 * Adds a problem of the record that was added last.
	 * @param line the record
	 * @param message the problem
	 */
	public void changed(ChainLine line, String message) {
		find(Kind.CHANGED, line.sequence(), message);
	}

	/**
	 * Adds the next record.
	 * @param line the record
	 * @param place where it is
	 */
	public void add(ChainLine line, String place) {
		this.records++;
		if (this.first == 0) {
			this.first = line.sequence();
			this.head = new ChainHead(line.sequence() - 1, line.previous());
			this.removed = this.head;
		}
		if (!line.isIntact(this.chain)) {
			find(Kind.CHANGED, line.sequence(), place + OTHER_HASH);
		}
		if (line.sequence() <= this.head.sequence()) {
			misplaced(line, place);
			return;
		}
		if (line.sequence() > this.head.sequence() + 1) {
			this.gaps.put(this.head.sequence() + 1, line.sequence() - 1);
		}
		else if (!HashChain.isSame(line.previous(), this.head.hash())) {
			find(Kind.CHANGED, this.head.sequence(),
					place + " follows another record " + this.head.sequence() + " than the one before it");
		}
		this.head = line.head();
		this.known.filter((head) -> head.sequence() == line.sequence()).ifPresent((head) -> {
			this.knownSeen = true;
			if (!HashChain.isSame(head.hash(), line.hash())) {
				find(Kind.CHANGED, line.sequence(), place + " does not have the hash that is known");
			}
		});
	}

	/**
	 * Adds a record that has the number of an earlier one, or belongs before it.
	 */
	private void misplaced(ChainLine line, String place) {
		this.first = Math.min(this.first, line.sequence());
		Map.@Nullable Entry<Long, Long> gap = this.gaps.floorEntry(line.sequence());
		if (gap == null || gap.getValue() < line.sequence()) {
			find(Kind.REPEATED, line.sequence(), place + " has the number of another record");
			return;
		}
		find(Kind.REORDERED, line.sequence(), place + " belongs before the record in front of it");
		this.gaps.remove(gap.getKey());
		if (gap.getKey() < line.sequence()) {
			this.gaps.put(gap.getKey(), line.sequence() - 1);
		}
		if (line.sequence() < gap.getValue()) {
			this.gaps.put(line.sequence() + 1, gap.getValue());
		}
	}

	/**
	 * Returns the report after the last record.
	 * @param anchor the last record that was removed on purpose
	 * @return the report
	 */
	public ChainReport report(ChainHead anchor) {
		ChainHead before = (this.first == 1) ? ChainHead.NONE : anchor;
		if (this.first > before.sequence() + 1) {
			find(Kind.MISSING, before.sequence() + 1,
					missing(before.sequence() + 1, this.first - 1) + " at the beginning");
		}
		else if (this.removed.sequence() == before.sequence()
				&& !HashChain.isSame(this.removed.hash(), before.hash())) {
			find(Kind.CHANGED, this.first, "record " + this.first + " is the first one, but follows another one");
		}
		this.gaps.forEach((from, to) -> find(Kind.MISSING, from, missing(from, to)));
		ChainHead known = this.known.orElse(ChainHead.NONE);
		if (!this.knownSeen && known.sequence() > this.head.sequence()) {
			find(Kind.MISSING, this.head.sequence() + 1,
					missing(this.head.sequence() + 1, known.sequence()) + " at the end");
		}
		return new ChainReport(this.records, this.first, this.head, this.findings, this.moreFindings);
	}

	private static String missing(long from, long to) {
		return (from == to) ? "record " + from + " is missing" : "records " + from + " to " + to + " are missing";
	}

	private void find(Kind kind, long sequence, String message) {
		if (this.findings.size() < MAX_FINDINGS) {
			this.findings.add(new Finding(kind, sequence, message));
		}
		else {
			this.moreFindings++;
		}
	}

}
