package io.kairo.sandbox.support.output;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.host.PrivateDirectory;
import io.kairo.api.sandbox.SandboxOutputChunk;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * The output of a command within limits: the first bytes and the last bytes in the order
 * of appending, with the stream of each. Bytes in between are counted and discarded. Up
 * to 256 KiB are in memory and the rest in a private file, so that the heap usage does
 * not depend on the limits.
 * <p>
 * Safe for use by several threads. Appending never waits for a reader, and readers do not
 * wait for each other. The last bytes can be read once the log is closed.
 */
public final class OutputLog {

	private final ReentrantLock appending = new ReentrantLock();

	private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

	private final RetainedOutput retained;

	/** Guarded by the lock. */
	private final Map<OutputChannel, OmittedLine> omitted = new EnumMap<>(OutputChannel.class);

	/** Number of active subscriptions; guarded by the lock. */
	private int subscriptions;

	/** Whether a subscriber has read all of the output; guarded by the lock. */
	private boolean readToTheEnd;

	private volatile boolean closed;

	/**
	 * Creates an empty log.
	 * @param maxOutputBytes number of first bytes to keep, above zero
	 * @param tailBytes number of last bytes to keep beyond those, at least 0
	 * @param directory the directory for output that is not kept in memory
	 */
	public OutputLog(long maxOutputBytes, long tailBytes, PrivateDirectory directory) {
		this(maxOutputBytes, tailBytes, () -> SpillFile.create(directory));
	}

	OutputLog(long maxOutputBytes, long tailBytes, FrameBuffer.Spill spill) {
		this.retained = new RetainedOutput(maxOutputBytes, tailBytes, spill);
	}

	/**
	 * Leaves a line out of later output, wherever it occurs. To be called before the
	 * command starts.
	 * @param line the line without its end, null for none
	 */
	public void omit(@Nullable String line) {
		if (line == null) {
			return;
		}
		this.appending.lock();
		try {
			for (OutputChannel channel : OutputChannel.values()) {
				this.omitted.put(channel, new OmittedLine(line,
						(data, offset, length) -> this.retained.append(channel, data, offset, length)));
			}
		}
		finally {
			this.appending.unlock();
		}
	}

	/**
	 * Appends output. Does nothing if the log is closed. Output that cannot be stored
	 * counts as discarded.
	 * @param channel the stream of the output
	 * @param data an array that contains the bytes; copied
	 * @param offset the offset of the first byte
	 * @param length the number of bytes
	 */
	public void append(OutputChannel channel, byte[] data, int offset, int length) {
		Objects.checkFromIndexSize(offset, length, data.length);
		this.appending.lock();
		try {
			if (this.closed) {
				return;
			}
			OmittedLine filter = this.omitted.get(channel);
			if (filter != null) {
				filter.append(data, offset, length);
			}
			else {
				this.retained.append(channel, data, offset, length);
			}
		}
		finally {
			this.appending.unlock();
		}
		wakeReaders();
	}

	/**
	 * Counts output that was discarded before it could be appended here, such as by
	 * another log within the same limits. Does nothing if the log is closed.
	 * @param bytes the number of bytes, at least 0
	 * @param storageFailed whether output was discarded because it could not be stored
	 */
	public void skip(long bytes, boolean storageFailed) {
		this.appending.lock();
		try {
			if (!this.closed) {
				this.retained.skip(bytes, storageFailed);
			}
		}
		finally {
			this.appending.unlock();
		}
	}

	/**
	 * Ends the output: later bytes are ignored, and the last bytes become readable.
	 * Closing a second time does nothing.
	 */
	public void close() {
		this.appending.lock();
		try {
			if (!this.closed) {
				this.omitted.values().forEach(OmittedLine::end);
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
	 * Closes the log and releases memory and files. Active subscribers complete early;
	 * later subscribers receive nothing. Releasing a second time does nothing.
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
	 * Releases memory and files if there is no subscription. Output that was never read
	 * to its end counts as discarded from then on.
	 * @return false if there is a subscription
	 */
	public boolean forget() {
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
	 * Registers a subscription, to keep the output from being forgotten.
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
	 * Unregisters a subscription.
	 * @param complete whether it reached the end of the output
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
	 * Returns the number of bytes that were appended or skipped.
	 * @return the number so far, final when the log is closed
	 */
	public long totalBytes() {
		return this.retained.total();
	}

	/**
	 * Returns the number of bytes that were neither among the first nor among the last
	 * bytes.
	 * @return the number so far, final when the log is closed
	 */
	public long discardedBytes() {
		return this.retained.discarded();
	}

	/**
	 * Returns whether bytes were discarded because they could not be stored, and not
	 * because of the limits.
	 * @return the state so far, final when the log is closed
	 */
	public boolean storageFailed() {
		return this.retained.storageFailed();
	}

	/**
	 * Returns the output as a stream, for any number of subscribers at any time. Each
	 * subscriber receives every retained byte in order and then completion, on its own
	 * daemon thread, in chunks of at most 64 KiB. A subscriber that throws is cancelled.
	 * @return the output
	 */
	public Flux<SandboxOutputChunk> chunks() {
		return Flux.from((subscriber) -> OutputSubscription.start(this, subscriber));
	}

	boolean readable(long position) {
		return this.closed || position < end();
	}

	/**
	 * Returns whether the log holds open files.
	 * @return false if it holds only memory
	 */
	public boolean holdsFiles() {
		return this.retained.holdsFiles();
	}

	/**
	 * Returns whether the log is closed.
	 * @return true if nothing can be appended any more
	 */
	public boolean closed() {
		return this.closed;
	}

	/**
	 * Registers a thread to be woken when more output may be available. To be called only
	 * right before waiting, since waking costs time in the thread that reads from the
	 * command.
	 */
	void addReader(Thread reader) {
		this.waiting.add(reader);
	}

	void removeReader(Thread reader) {
		this.waiting.remove(reader);
	}

	/**
	 * Returns the retained output.
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
