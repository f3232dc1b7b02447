package io.kairo.sandbox.remote;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The standard input of a command on a worker, without a buffer. A write waits while the
 * command does not read. Closing never waits. For use by one writing thread.
 */
final class RemoteInput extends OutputStream {

	private static final int MOST_BYTES = 64 * 1024;

	/** A request waits while the command does not read. */
	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final Worker worker;

	private final WorkerLease lease;

	private final String path;

	private volatile boolean closed;

	/** Number of bytes so far; changed by the writing thread only. */
	private final AtomicLong sent = new AtomicLong();

	RemoteInput(Worker worker, WorkerLease lease, String path) {
		this.worker = worker;
		this.lease = lease;
		this.path = path;
	}

	@Override
	public void write(int octet) throws IOException {
		write(new byte[] { (byte) octet }, 0, 1);
	}

	@Override
	public void write(byte[] data, int offset, int length) throws IOException {
		Objects.checkFromIndexSize(offset, length, data.length);
		for (int done = 0; done < length; done += MOST_BYTES) {
			int from = offset + done;
			send(Arrays.copyOfRange(data, from, from + Math.min(MOST_BYTES, length - done)));
		}
	}

	private void send(byte[] data) throws IOException {
		while (!this.closed && !this.lease.isEnded()) {
			try {
				put(data, false);
				this.sent.addAndGet(data.length);
				return;
			}
			catch (WorkerRefusedException ex) {
				throw new IOException("The command reads no more input", ex);
			}
			catch (InterruptedIOException ex) {
				throw ex;
			}
			catch (IOException ex) {
				// the command does not read, or the connection broke: the worker skips
				// input that it has
				Worker.pause(Worker.FIRST_PAUSE_MILLIS);
			}
		}
		throw new IOException(this.closed ? "The input of the command is closed" : "The command is lost");
	}

	private byte[] put(byte[] data, boolean last) throws IOException, WorkerRefusedException {
		return this.worker.call("PUT", this.path + "/input?from=" + this.sent.get() + "&end=" + last, data, TIMEOUT);
	}

	/**
	 * Refuses further writes, since the command has ended.
	 */
	void abandon() {
		this.closed = true;
	}

	/**
	 * Ends the input. The worker is told from another thread.
	 */
	@Override
	public void close() {
		if (!this.closed) {
			this.closed = true;
			this.lease.repeatLater("kairo-remote-input", () -> put(new byte[0], true));
		}
	}

}
