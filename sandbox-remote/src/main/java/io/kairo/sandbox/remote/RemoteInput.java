package io.kairo.sandbox.remote;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;

import io.kairo.sandbox.remote.protocol.ErrorMessage;

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

	/** Number of bytes so far; for use by the writing thread. */
	private long sent;

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
			send(Arrays.copyOfRange(data, from, from + Math.min(MOST_BYTES, length - done)), false);
		}
	}

	private void send(byte[] data, boolean last) throws IOException {
		while (!this.closed && !this.lease.isEnded()) {
			try {
				this.worker.call("PUT", this.path + "/input?from=" + this.sent + "&end=" + last, data, TIMEOUT);
				this.sent += data.length;
				return;
			}
			catch (RefusedException ex) {
				if (!ex.error().code().equals(ErrorMessage.BUSY)) {
					throw new IOException("The command reads no more input", ex);
				}
			}
			catch (IOException ex) {
				Worker.pause(Worker.FIRST_PAUSE_MILLIS);
			}
		}
		throw new IOException(this.closed ? "The input of the command is closed" : "The command is lost");
	}

	/**
	 * Ends the input. Waits for the worker to know that.
	 */
	@Override
	public void close() {
		if (!this.closed) {
			try {
				send(new byte[0], true);
			}
			catch (IOException ex) {
				// the command has ended
				this.closed = true;
			}
			this.closed = true;
		}
	}

}
