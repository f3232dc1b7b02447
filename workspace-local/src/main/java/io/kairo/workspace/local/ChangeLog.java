package io.kairo.workspace.local;

import java.io.IOException;
import java.util.List;

/**
 * Tells the journal, before anything is done, what one change is about to do. For use by
 * one thread.
 */
final class ChangeLog {

	private final WriteJournal journal;

	private final Steps steps;

	private final Leftovers leftovers;

	private final long number;

	ChangeLog(WriteState state) {
		this.journal = state.journal();
		this.steps = state.steps();
		this.leftovers = state.leftovers();
		this.number = this.journal.begin();
	}

	/**
	 * Says that a step comes next that changes something on disk.
	 */
	void step(String name) throws IOException {
		this.steps.before(name);
	}

	void temporary(Spot spot) throws IOException {
		step("journal");
		this.journal.record(JournalRecord.temporary(this.number, spot));
	}

	void undo(Undo undo) throws IOException {
		step("journal");
		this.journal.record(JournalRecord.undo(this.number, undo));
	}

	/**
	 * Says where a temporary name is by now.
	 */
	void relocated(Spot spot) throws IOException {
		step("journal");
		this.journal.record(JournalRecord.relocated(this.number, spot));
	}

	void commit() throws IOException {
		step("commit");
		this.journal.record(JournalRecord.of(this.number, JournalRecord.COMMIT));
	}

	/**
	 * Says what could not be removed, though the change holds.
	 */
	void leave(List<Spot> spots, IOException failure) {
		this.leftovers.add(this.number,
				spots.stream().map((spot) -> JournalRecord.temporary(this.number, spot)).toList(), failure);
	}

	/**
	 * Ends the change.
	 * @param done whether nothing is left to be cleaned up
	 */
	void end(boolean done) throws IOException {
		step("done");
		this.journal.end(this.number, done);
	}

}
