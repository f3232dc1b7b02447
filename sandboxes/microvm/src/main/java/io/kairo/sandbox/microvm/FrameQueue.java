package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;

import org.jspecify.annotations.Nullable;

/**
 * The frames that wait until a machine reads them. Adding one never blocks: a machine
 * that does not read while many wait is ended. Safe for use by several threads.
 */
final class FrameQueue {

	private static final Logger logger = System.getLogger(FrameQueue.class.getName());

	/** Sufficient for the start messages of several commands, some megabytes each. */
	private static final long MOST_BYTES = 64L << 20;

	private final Queue<byte[]> waiting = new ArrayDeque<>();

	private final Runnable overflow;

	private long bytes;

	private boolean closed;

	/**
	 * Creates a queue.
	 * @param overflow called once if the machine does not read; must not block
	 */
	FrameQueue(Runnable overflow) {
		this.overflow = overflow;
	}

	/**
	 * Adds a frame.
	 * @return false if the queue is closed
	 */
	boolean add(Frame frame) {
		byte[] data = frame.toBytes();
		synchronized (this) {
			if (this.closed) {
				return false;
			}
			if (this.bytes + data.length <= MOST_BYTES) {
				this.bytes += data.length;
				this.waiting.add(data);
				notifyAll();
				return true;
			}
			this.closed = true;
			notifyAll();
		}
		this.overflow.run();
		return false;
	}

	/**
	 * Discards all frames, and lets the thread that writes end.
	 */
	synchronized void close() {
		this.closed = true;
		this.waiting.clear();
		notifyAll();
	}

	/**
	 * Writes frames to a stream until the queue is closed or the stream fails.
	 */
	void writeTo(OutputStream stream) {
		try (stream) {
			for (byte[] data = take(); data != null; data = take()) {
				stream.write(data);
				stream.flush();
			}
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "A virtual machine has ended", ex);
			close();
		}
		catch (InterruptedException ex) {
			close();
		}
	}

	private synchronized byte @Nullable [] take() throws InterruptedException {
		while (this.waiting.isEmpty() && !this.closed) {
			wait();
		}
		byte[] data = this.waiting.poll();
		this.bytes -= (data != null) ? data.length : 0;
		return data;
	}

}
