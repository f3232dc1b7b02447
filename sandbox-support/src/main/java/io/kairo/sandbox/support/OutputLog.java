package io.kairo.sandbox.support;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.host.PrivateDirectory;
import io.kairo.api.sandbox.SandboxOutputChunk;
import reactor.core.publisher.Flux;

/**
 * What a command printed, within bounds: the first bytes and the last ones, in the order
 * in which they were appended, with the stream each came from. What lies between is
 * counted. Up to 256 KiB are in memory and the rest in a private file, so the heap that a
 * log takes does not depend on the bounds.
 * <p>
 * Safe for use by several threads. Appending never waits for a reader, and no reader
 * waits for another. The last bytes can be read once the log is closed.
 *
 * @since 0.1.0
 */
public final class OutputLog {

	private final ReentrantLock appending = new ReentrantLock();

	private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

	private final RetainedOutput retained;

	/** How many subscriptions have not ended; guarded by the lock. */
	private int subscriptions;

	/** Whether somebody has read all of it; guarded by the lock. */
	private boolean readToTheEnd;

	private volatile boolean closed;

	/**
	 * Creates an empty log.
	 * @param maxOutputBytes how many of the first bytes are kept, above zero
	 * @param tailBytes how many of the last bytes are kept beyond those, at least 0
	 * @param directory where output goes that is not kept in memory
	 */
	public OutputLog(long maxOutputBytes, long tailBytes, PrivateDirectory directory) {
		this(maxOutputBytes, tailBytes, () -> SpillFile.create(directory));
	}

	OutputLog(long maxOutputBytes, long tailBytes, FrameBuffer.Spill spill) {
		this.retained = new RetainedOutput(maxOutputBytes, tailBytes, spill);
	}

	/**
	 * Appends output. Does nothing when the log is closed. Output that cannot be stored
	 * is counted as discarded.
	 * @param channel the stream that it came from
	 * @param data an array with the bytes, which are copied
	 * @param offset where they begin
	 * @param length how many there are
	 */
	public void append(OutputChannel channel, byte[] data, int offset, int length) {
		Objects.checkFromIndexSize(offset, length, data.length);
		this.appending.lock();
		try {
			if (this.closed) {
				return;
			}
			this.retained.append(channel, data, offset, length);
		}
		finally {
			this.appending.unlock();
		}
		wakeReaders();
	}

	/**
	 * Ends the output: what is appended later is ignored, and the last bytes become
	 * readable. Closing a second time does nothing.
	 */
	public void close() {
		this.appending.lock();
		try {
			if (!this.closed) {
				this.retained.seal();
				this.closed = true;
			}
		}
		finally {
			this.appending.unlock();
		}
		wakeReaders();
	}

	/**
	 * Closes the log and frees memory and files. Subscribers that are still reading are
	 * completed early; later ones find nothing. Releasing a second time does nothing.
	 */
	public void release() {
		close();
		this.appending.lock();
		try {
			this.retained.release();
		}
		finally {
			this.appending.unlock();
		}
		wakeReaders();
	}

	/**
	 * Frees memory and files of output that nobody reads. What nobody has read to its end
	 * counts as discarded from then on.
	 * @return false, and nothing is done, while there is a subscription
	 */
	boolean forget() {
		this.appending.lock();
		try {
			if (this.subscriptions > 0) {
				return false;
			}
			if (!this.readToTheEnd) {
				this.retained.discardAll();
			}
			release();
			return true;
		}
		finally {
			this.appending.unlock();
		}
	}

	/**
	 * Counts a subscription: what it reads is not forgotten.
	 */
	void subscribed() {
		this.appending.lock();
		try {
			this.subscriptions++;
		}
		finally {
			this.appending.unlock();
		}
	}

	/**
	 * Counts the end of a subscription.
	 * @param complete whether it came to the end of the output
	 */
	void unsubscribed(boolean complete) {
		this.appending.lock();
		try {
			this.subscriptions--;
			this.readToTheEnd |= complete;
		}
		finally {
			this.appending.unlock();
		}
	}

	/**
	 * Returns how many bytes were neither among the first nor among the last.
	 * @return the number so far, final when the log is closed
	 */
	public long discardedBytes() {
		return this.retained.discarded();
	}

	/**
	 * Returns whether some of the discarded bytes could not be stored, and were not
	 * merely too many.
	 * @return the state so far, final when the log is closed
	 */
	public boolean storageFailed() {
		return this.retained.storageFailed();
	}

	/**
	 * Returns the output as a stream. Each subscriber sees every retained byte in order,
	 * then completion, on a daemon thread of its own, in chunks of at most 64 KiB. A
	 * subscriber that throws is cancelled.
	 * @return the output, for any number of subscribers at any time
	 */
	public Flux<SandboxOutputChunk> chunks() {
		return Flux.from((subscriber) -> OutputSubscription.start(this, subscriber));
	}

	boolean readable(long position) {
		return this.closed || position < end();
	}

	/**
	 * Returns whether this holds open files, and not only memory.
	 */
	boolean holdsFiles() {
		return this.retained.holdsFiles();
	}

	boolean closed() {
		return this.closed;
	}

	/**
	 * Has a thread woken whenever there may be more to read. For as long as it is about
	 * to wait only: waking is work for the command's own reader.
	 */
	void addReader(Thread reader) {
		this.waiting.add(reader);
	}

	void removeReader(Thread reader) {
		this.waiting.remove(reader);
	}

	/**
	 * Returns what there is to read.
	 */
	RetainedOutput retained() {
		return this.retained;
	}

	long end() {
		return this.retained.end();
	}

	private void wakeReaders() {
		this.waiting.forEach(LockSupport::unpark);
	}

}
