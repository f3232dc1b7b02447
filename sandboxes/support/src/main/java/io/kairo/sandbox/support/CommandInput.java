package io.kairo.sandbox.support;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The standard input of a command, without a buffer. A write blocks while the command
 * does not read. Closing never blocks: a thread that is writing closes the pipe when its
 * write returns or fails.
 */
final class CommandInput extends OutputStream {

	private static final Logger logger = System.getLogger(CommandInput.class.getName());

	private final OutputStream pipe;

	private final ReentrantLock writing = new ReentrantLock();

	private volatile boolean closed;

	CommandInput(OutputStream pipe) {
		this.pipe = pipe;
	}

	@Override
	public void write(int octet) throws IOException {
		write(new byte[] { (byte) octet }, 0, 1);
	}

	@Override
	public void write(byte[] data, int offset, int length) throws IOException {
		this.writing.lock();
		try {
			if (this.closed) {
				throw new IOException("The input of the command is closed");
			}
			this.pipe.write(data, offset, length);
			this.pipe.flush();
		}
		finally {
			this.writing.unlock();
			if (this.closed) {
				closePipe();
			}
		}
	}

	@Override
	public void close() {
		this.closed = true;
		closePipe();
	}

	private void closePipe() {
		if (!this.writing.tryLock()) {
			// the writer closes it
			return;
		}
		try {
			this.pipe.close();
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "The command did not read all of its input", ex);
		}
		finally {
			this.writing.unlock();
		}
	}

}
