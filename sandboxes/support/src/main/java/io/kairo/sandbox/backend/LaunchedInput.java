package io.kairo.sandbox.backend;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The standard input of a {@link LaunchedCommand}. A write blocks while the command does
 * not read and as much is under way as may be. Closing never blocks. Safe for use by
 * several threads.
 */
public final class LaunchedInput extends OutputStream {

	private final int window;

	private final int mostBytes;

	private final boolean buffered;

	private final Consumer<byte @Nullable []> channel;

	private int underWay;

	private boolean closed;

	private boolean over;

	/**
	 * Creates the input.
	 * @param window the maximum of bytes under way, above zero
	 * @param mostBytes the maximum of bytes in a message, above zero
	 * @param buffered whether a write returns before the command has taken everything
	 * @param channel sends data, and null at the end; must not block
	 */
	public LaunchedInput(int window, int mostBytes, boolean buffered, Consumer<byte @Nullable []> channel) {
		this.window = window;
		this.mostBytes = mostBytes;
		this.buffered = buffered;
		this.channel = channel;
	}

	@Override
	public void write(int octet) throws IOException {
		write(new byte[] { (byte) octet }, 0, 1);
	}

	@Override
	public synchronized void write(byte[] data, int offset, int length) throws IOException {
		Objects.checkFromIndexSize(offset, length, data.length);
		try {
			int end = offset + length;
			for (int from = offset; from < end;) {
				int count = Math.min(Math.min(this.mostBytes, end - from), room());
				this.underWay += count;
				this.channel.accept(Arrays.copyOfRange(data, from, from + count));
				from += count;
			}
			while (!this.buffered && this.underWay > 0 && !this.over) {
				wait();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("Interrupted while the command did not read its input");
		}
		if (!this.buffered && this.underWay > 0) {
			throw new IOException("The command did not read all of its input");
		}
	}

	private int room() throws IOException, InterruptedException {
		while ((this.buffered ? this.underWay == this.window : this.underWay > 0) && !this.over && !this.closed) {
			wait();
		}
		if (this.closed) {
			throw new IOException("The input of the command is closed");
		}
		if (this.over) {
			throw new IOException("The command reads no more input");
		}
		return this.window - this.underWay;
	}

	/**
	 * Returns the number of bytes under way.
	 * @return the maximum that the command can have taken
	 */
	public synchronized int underWay() {
		return this.underWay;
	}

	/**
	 * Takes note that the command has taken some of what was sent.
	 * @param count the number of bytes, at most those under way
	 */
	public synchronized void taken(int count) {
		this.underWay -= count;
		notifyAll();
	}

	/**
	 * Takes note that the command reads no more.
	 */
	public synchronized void end() {
		this.over = true;
		notifyAll();
	}

	@Override
	public synchronized void close() {
		if (!this.closed && !this.over) {
			this.channel.accept(null);
		}
		this.closed = true;
		notifyAll();
	}

}
