package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * The standard input of a command in a machine. A write blocks while the command does not
 * read and the agent holds as much as it may. Closing never blocks. Safe for use by
 * several threads.
 */
final class GuestInput extends OutputStream {

	/** Maximum input that the agent holds for a command, in bytes. */
	static final int WINDOW = 64 * 1024;

	private final int id;

	private final Machine machine;

	private int underWay;

	private boolean closed;

	private boolean over;

	GuestInput(int id, Machine machine) {
		this.id = id;
		this.machine = machine;
	}

	@Override
	public void write(int octet) throws IOException {
		write(new byte[] { (byte) octet }, 0, 1);
	}

	@Override
	public synchronized void write(byte[] data, int offset, int length) throws IOException {
		Objects.checkFromIndexSize(offset, length, data.length);
		int end = offset + length;
		for (int from = offset; from < end;) {
			int count = Math.min(Math.min(Frame.MOST_DATA, end - from), room());
			this.underWay += count;
			this.machine.send(new Frame('I', this.id, Arrays.copyOfRange(data, from, from + count)));
			from += count;
		}
	}

	private int room() throws IOException {
		try {
			while (this.underWay == WINDOW && !this.over && !this.closed) {
				wait();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("Interrupted while the command did not read its input");
		}
		if (this.closed) {
			throw new IOException("The input of the command is closed");
		}
		if (this.over) {
			throw new IOException("The command reads no more input");
		}
		return WINDOW - this.underWay;
	}

	/**
	 * Takes note that the command has taken some of what was sent.
	 * @throws GuestProtocolException if less was sent
	 */
	synchronized void taken(Frame frame) throws GuestProtocolException {
		this.underWay -= frame.number(this.underWay);
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
			this.machine.send(Frame.of('E', this.id));
		}
		this.closed = true;
		notifyAll();
	}

}
