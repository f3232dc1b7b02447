package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

import io.kairo.host.Claim;
import io.kairo.host.ProcessIdentity;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Records the steps of changes so that the next process can clean up after a crash. There
 * is one file per process and factory, locked while both live. Lines are appended, and
 * the file is emptied when no change is in progress. Does nothing without a state
 * directory. Safe for use by several threads.
 * <p>
 * The file is not written through a {@link java.nio.channels.FileChannel}, since the
 * interrupt of one thread would close it for all.
 */
final class WriteJournal {

	static final String DIRECTORY = "journal";

	private static final long LARGE = 1 << 18;

	private final @Nullable StateDirectory state;

	private final ProcessIdentity process;

	private final Object forcing = new Object();

	private @Nullable RandomAccessFile file;

	/** Never closed before the file, as that would release the lock. */
	private @Nullable Claim claim;

	private long transactions;

	private long open;

	/** The numbers of written and of durable lines. */
	private long written;

	private long forced;

	WriteJournal(@Nullable StateDirectory state, ProcessIdentity process) {
		this.state = state;
		this.process = process;
	}

	/**
	 * Returns the number of a new transaction. It is to be {@linkplain #end ended}.
	 */
	synchronized long begin() {
		this.open++;
		return ++this.transactions;
	}

	/**
	 * Appends a line and makes it durable.
	 */
	void record(JournalRecord line) throws IOException {
		if (this.state != null) {
			force(append(this.state, line));
		}
	}

	/**
	 * Ends a transaction.
	 * @param done whether no cleanup is left after a crash
	 */
	synchronized void end(long transaction, boolean done) throws IOException {
		RandomAccessFile current = this.file;
		if (done) {
			this.open--;
			if (this.state != null && current != null) {
				if (this.open == 0 && current.length() > LARGE) {
					current.setLength(0);
				}
				else {
					append(this.state, JournalRecord.of(transaction, JournalRecord.DONE));
				}
			}
		}
	}

	private synchronized long append(StateDirectory directory, JournalRecord line) throws IOException {
		RandomAccessFile current = this.file;
		if (current == null) {
			current = create(directory.create(DIRECTORY));
			this.file = current;
		}
		long end = current.length();
		try {
			current.seek(end);
			current.write(line.toBytes());
		}
		catch (IOException ex) {
			current.setLength(end); // an incomplete line would hide the next one
			throw ex;
		}
		return ++this.written;
	}

	private void force(long line) throws IOException {
		synchronized (this.forcing) {
			RandomAccessFile current;
			long upTo;
			synchronized (this) {
				if (this.forced >= line) {
					return;
				}
				current = this.file;
				upTo = this.written;
			}
			if (current != null) {
				current.getFD().sync();
			}
			synchronized (this) {
				this.forced = upTo;
			}
		}
	}

	private RandomAccessFile create(Path directory) throws IOException {
		Claim created = Claim.create(directory, this.process, "");
		try {
			forceDirectory(directory);
			RandomAccessFile opened = new RandomAccessFile(created.file().toFile(), "rw");
			this.claim = created;
			return opened;
		}
		catch (IOException ex) {
			try (created) {
				created.delete();
			}
			throw ex;
		}
	}

	private static void forceDirectory(Path directory) throws IOException {
		try (OpenDirectory opened = DirectoryOpener.platform().open(directory)) {
			opened.force();
		}
	}

	/**
	 * Releases the file as if the process had ended.
	 */
	synchronized void abandon() throws IOException {
		if (this.claim != null) {
			this.claim.close();
		}
		if (this.file != null) {
			this.file.close();
		}
	}

}
