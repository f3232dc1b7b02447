package io.kairo.sandbox.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

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

	private static final int HEAD_MEMORY = 192 * 1024;

	private final ReentrantLock appending = new ReentrantLock();

	private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

	private final long headLimit;

	private final FrameBuffer head;

	private final OutputTail tail;

	private boolean headOpen = true;

	private long total;

	private long headBytes;

	private volatile long discarded;

	private volatile long excess;

	private volatile boolean closed;

	private volatile List<FrameBuffer> sections;

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
		if (maxOutputBytes <= 0 || tailBytes < 0) {
			throw new IllegalArgumentException("Cannot keep the first " + maxOutputBytes + " and the last " + tailBytes
					+ " bytes: the first must be above zero and the last at least 0");
		}
		this.headLimit = maxOutputBytes;
		this.head = new FrameBuffer(HEAD_MEMORY, spill);
		this.tail = new OutputTail(tailBytes, spill);
		this.sections = List.of(this.head);
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
			int done = 0;
			while (done < length) {
				done += appendSome(channel, data, offset + done, Math.min(length - done, FrameBuffer.MAX_PAYLOAD));
			}
			this.total += length;
			this.discarded = this.total - this.headBytes - this.tail.retained();
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
				this.excess = this.tail.excess();
				this.sections = allSections();
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
			this.sections = List.of();
			allSections().forEach(FrameBuffer::release);
		}
		finally {
			this.appending.unlock();
		}
		wakeReaders();
	}

	/**
	 * Returns how many bytes were neither among the first nor among the last.
	 * @return the number so far, final when the log is closed
	 */
	public long discardedBytes() {
		return this.discarded;
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

	/**
	 * Reads on from a position without waiting.
	 * @param position 0 for the beginning, or the {@link OutputPage#nextPosition()} of an
	 * earlier call
	 * @param maxBytes the most bytes to return; a single chunk of up to 32 KiB is
	 * returned even if it is longer
	 * @return what is there
	 * @throws IllegalArgumentException if the position is none
	 * @throws UncheckedIOException if a file with output cannot be read
	 */
	public OutputPage read(long position, int maxBytes) {
		OutputCursor cursor = new OutputCursor(this, position);
		List<SandboxOutputChunk> chunks = new ArrayList<>();
		boolean wasClosed = this.closed;
		int left = maxBytes;
		SandboxOutputChunk chunk = cursor.next(left);
		while (chunk != null) {
			chunks.add(chunk);
			left -= chunk.data().length;
			chunk = (left > 0) ? cursor.next(left) : null;
		}
		return new OutputPage(chunks, cursor.position(), wasClosed && cursor.position() >= end());
	}

	/**
	 * Waits until there is something to read at a position, or the log is closed.
	 * @param position as for {@link #read(long, int)}
	 * @param timeout how long to wait
	 * @return whether that is so; false after the timeout
	 * @throws InterruptedException if the thread is interrupted while it waits
	 */
	public boolean awaitMore(long position, Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + Deadlines.nanos(timeout);
		Thread current = Thread.currentThread();
		addReader(current);
		try {
			while (!readable(position)) {
				long left = deadline - System.nanoTime();
				if (left <= 0) {
					return false;
				}
				LockSupport.parkNanos(this, left);
				if (Thread.interrupted()) {
					throw new InterruptedException();
				}
			}
			return true;
		}
		finally {
			removeReader(current);
		}
	}

	boolean readable(long position) {
		return this.closed || position < end();
	}

	/**
	 * Returns whether this holds open files, and not only memory.
	 */
	boolean holdsFiles() {
		return this.sections.stream().anyMatch(FrameBuffer::holdsFile);
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
	 * Returns how many bytes are to be left out at a position: what the two segments of
	 * the tail hold too much is at the beginning of the tail.
	 */
	long excessAt(long position) {
		return (position == this.head.size()) ? this.excess : 0;
	}

	/**
	 * Reads frames, the last of which may be incomplete.
	 * @return the number of bytes; 0 if there is nothing
	 */
	int readFrames(long position, byte[] target) throws IOException {
		long offset = position;
		for (FrameBuffer section : this.sections) {
			long size = section.size();
			if (offset < size) {
				return section.read(offset, target);
			}
			offset -= size;
		}
		return 0;
	}

	long end() {
		long end = 0;
		for (FrameBuffer section : this.sections) {
			end += section.size();
		}
		return end;
	}

	private int appendSome(OutputChannel channel, byte[] data, int offset, int length) {
		if (this.headOpen) {
			int count = (int) Math.min(length, this.headLimit - this.headBytes);
			if (this.head.append(channel, data, offset, count)) {
				this.headBytes += count;
				this.headOpen = this.headBytes < this.headLimit;
				return count;
			}
			this.headOpen = false;
		}
		return this.tail.append(channel, data, offset, length);
	}

	private List<FrameBuffer> allSections() {
		List<FrameBuffer> all = new ArrayList<>(List.of(this.head));
		all.addAll(this.tail.sections());
		return all;
	}

	private void wakeReaders() {
		this.waiting.forEach(LockSupport::unpark);
	}

}
