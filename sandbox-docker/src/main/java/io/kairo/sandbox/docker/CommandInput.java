package io.kairo.sandbox.docker;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * The standard input of a command in a container, without a buffer. A write blocks while
 * the command does not read. Closing never blocks. Safe for use by several threads, of
 * which one can write.
 */
final class CommandInput extends OutputStream {

	private static final int MOST_BYTES = 32 * 1024;

	private final Container container;

	private boolean waiting;

	private boolean closed;

	private boolean over;

	CommandInput(Container container) {
		this.container = container;
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

	private synchronized void send(byte[] data) throws IOException {
		try {
			while (this.waiting && !this.over && !this.closed) {
				wait();
			}
			if (this.closed) {
				throw new IOException("The input of the command is closed");
			}
			if (this.over) {
				throw new IOException("The command reads no more input");
			}
			this.waiting = true;
			this.container.send('I', data);
			while (this.waiting && !this.over) {
				wait();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("Interrupted while the command did not read its input");
		}
		if (this.waiting) {
			throw new IOException("The command did not read all of its input");
		}
	}

	/**
	 * Takes note that the command has taken what was sent.
	 */
	synchronized void accepted() {
		this.waiting = false;
		notifyAll();
	}

	/**
	 * Takes note that the command reads no more.
	 */
	synchronized void end() {
		this.over = true;
		notifyAll();
	}

	@Override
	public synchronized void close() {
		if (!this.closed && !this.over) {
			this.container.send('E', new byte[0]);
		}
		this.closed = true;
		notifyAll();
	}

}
