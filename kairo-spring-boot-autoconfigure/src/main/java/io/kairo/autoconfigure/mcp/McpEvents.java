package io.kairo.autoconfigure.mcp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/**
 * A response that takes one event or comment at a time, and nothing after its end or
 * after a failure. Safe for use by several threads.
 */
class McpEvents extends HttpServletResponseWrapper {

	/** No blank line: the client of the SDK stalls after 256 that do not end an event. */
	private static final byte[] COMMENT = ":\n".getBytes(StandardCharsets.US_ASCII);

	private static final long WAIT_SECONDS = 30;

	/** Held while something is written. */
	private final ReentrantLock lock = new ReentrantLock();

	private volatile boolean ending;

	McpEvents(HttpServletResponse response) {
		super(response);
	}

	final void lock() {
		this.lock.lock();
	}

	final boolean tryLock() {
		return this.lock.tryLock();
	}

	void unlock() {
		this.lock.unlock();
	}

	/**
	 * Prevents further writes. Does not wait for a write in progress.
	 */
	final void setEnding() {
		this.ending = true;
	}

	final boolean isEnding() {
		return this.ending;
	}

	/**
	 * Writes a comment, unless an event is being written: this reveals as well whether
	 * the client is gone.
	 */
	final void comment() {
		if (tryLock()) {
			try {
				writeAndUnlock(() -> {
					super.getOutputStream().write(COMMENT);
					super.flushBuffer();
				});
			}
			catch (IOException | RuntimeException ex) {
				// the client is gone
			}
		}
	}

	private void send(byte[] bytes, int offset, int length) throws IOException {
		try {
			if (!this.lock.tryLock(WAIT_SECONDS, TimeUnit.SECONDS)) {
				throw new IOException("The client does not read its event stream");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("The thread was interrupted", ex);
		}
		writeAndUnlock(() -> writeEvent(bytes, offset, length));
	}

	/**
	 * Writes an event with the lock held.
	 */
	void writeEvent(byte[] bytes, int offset, int length) throws IOException {
		super.getOutputStream().write(bytes, offset, length);
	}

	private void writeAndUnlock(Write write) throws IOException {
		try {
			if (this.ending) {
				throw new IOException("The event stream has ended");
			}
			write.run();
		}
		catch (IOException | RuntimeException ex) {
			this.ending = true;
			throw ex;
		}
		finally {
			unlock();
		}
	}

	@Override
	public ServletOutputStream getOutputStream() {
		return new Output();
	}

	@Override
	public void flushBuffer() throws IOException {
		// without the lock, a comment is being written, and it is flushed
		if (!this.ending && tryLock()) {
			writeAndUnlock(super::flushBuffer);
		}
	}

	/**
	 * A write to the response.
	 */
	@FunctionalInterface
	private interface Write {

		void run() throws IOException;

	}

	/**
	 * An output for the SDK, which writes a whole event at a time.
	 */
	private final class Output extends ServletOutputStream {

		@Override
		public boolean isReady() {
			return true;
		}

		@Override
		public void setWriteListener(WriteListener listener) {
			throw new IllegalStateException("An event stream is written without a listener");
		}

		@Override
		public void write(int value) throws IOException {
			send(new byte[] { (byte) value }, 0, 1);
		}

		@Override
		public void write(byte[] bytes, int offset, int length) throws IOException {
			send(bytes, offset, length);
		}

		@Override
		public void flush() throws IOException {
			flushBuffer();
		}

	}

}
