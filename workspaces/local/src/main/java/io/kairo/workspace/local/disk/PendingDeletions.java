package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.kairo.workspace.local.disk.handle.DirectoryOpener;

/**
 * Entries that were deleted and could not be removed from the disk yet. They have
 * temporary names, and their removal is retried from time to time: by this process while
 * it lives, and afterwards by the process that sweeps the journal. Safe for use by
 * several threads.
 */
final class PendingDeletions {

	private static final System.Logger logger = System.getLogger(PendingDeletions.class.getName());

	private final WriteJournal journal;

	private final Queue<Pending> queue = new ConcurrentLinkedQueue<>();

	PendingDeletions(WriteJournal journal) {
		this.journal = journal;
	}

	/**
	 * Adds the entries that a change could not remove.
	 * @param transaction the number of the transaction; it has not ended in the journal
	 * @param lines the entries to remove, in this order
	 * @param failure the cause
	 */
	void add(long transaction, List<JournalRecord> lines, IOException failure) {
		logger.log(Level.WARNING, "Deleted entries cannot be removed from the disk yet: "
				+ lines.stream().map((line) -> line.path(1).toString()).toList(), failure);
		this.queue.add(new Pending(transaction, List.copyOf(lines)));
	}

	/**
	 * Retries all pending removals.
	 */
	void retry(DirectoryOpener opener) {
		for (int count = this.queue.size(); count > 0; count--) {
			Pending pending = this.queue.poll();
			if (pending != null && !remove(pending, new RecordedEntries(opener, null))) {
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
			// It has gone, together with its directory.
		}
	}

	/**
	 * The entries that one change could not remove.
	 *
	 * @param transaction the number of the transaction in the journal
	 * @param lines the entries to remove
	 */
	private record Pending(long transaction, List<JournalRecord> lines) {

	}

}
