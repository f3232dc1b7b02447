package io.kairo.workspace.disk;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.kairo.workspace.disk.handle.DirectoryOpener;

/**
 * What changes of this process have deleted and could not remove from the disk. It has a
 * temporary name, and its removal is tried again from time to time: by this process as
 * long as it lives, then by whoever sweeps the journal. Safe for use by several threads.
 */
final class PendingDeletions {

	private static final System.Logger logger = System.getLogger(PendingDeletions.class.getName());

	private final WriteJournal journal;

	private final Queue<Pending> queue = new ConcurrentLinkedQueue<>();

	PendingDeletions(WriteJournal journal) {
		this.journal = journal;
	}

	/**
	 * Adds what a change left.
	 * @param transaction its number in the journal, where it has not ended
	 * @param lines what has to be removed, in this order
	 * @param failure why it was not
	 */
	void add(long transaction, List<JournalRecord> lines, IOException failure) {
		logger.log(Level.WARNING, "Something that was deleted cannot be removed from the disk yet: "
				+ lines.stream().map((line) -> line.path(1).toString()).toList(), failure);
		this.queue.add(new Pending(transaction, List.copyOf(lines)));
	}

	/**
	 * Tries again to remove what was left until now.
	 */
	void retry(DirectoryOpener opener) {
		for (int count = this.queue.size(); count > 0; count--) {
			Pending pending = this.queue.poll();
			if (pending != null && !remove(pending, new RecordedEntries(opener))) {
				this.queue.add(pending);
			}
		}
	}

	private boolean remove(Pending pending, RecordedEntries entries) {
		boolean removed = true;
		for (JournalRecord line : pending.lines()) {
			removed &= DiskAction.attempt(() -> remove(line, entries));
		}
		return removed && DiskAction.attempt(() -> this.journal.end(pending.transaction(), true));
	}

	private static void remove(JournalRecord line, RecordedEntries entries) throws IOException {
		try {
			entries.remove(line);
		}
		catch (NoSuchFileException | NotDirectoryException ex) {
			// It is gone by now, with what it was in.
		}
	}

	/**
	 * What one change left.
	 *
	 * @param transaction its number in the journal
	 * @param lines what has to be removed
	 */
	private record Pending(long transaction, List<JournalRecord> lines) {

	}

}
