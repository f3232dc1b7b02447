package io.kairo.sandbox.support.process;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.linux.Child;
import io.kairo.sandbox.support.output.OutputChannel;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.output.ProcessOutput;

/**
 * Copies both output streams of a process to a log, on the thread that waits for it.
 */
final class PolledOutput implements ProcessOutput {

	private static final Logger logger = System.getLogger(PolledOutput.class.getName());

	/** Most commands print little. */
	private static final int FIRST_BUFFER = 8 * 1024;

	/** The size of a pipe. */
	private static final int BUFFER = 64 * 1024;

	/** Number of reads before the other stream and the end are looked at again. */
	private static final int MOST_READS = 16;

	private static final long SLICE_MILLIS = 25;

	/** Held while a thread uses the descriptors. */
	private final ReentrantLock reading = new ReentrantLock();

	private final NativeProcess process;

	private final Child child;

	private final OutputLog log;

	private byte[] buffer = new byte[0];

	private volatile boolean closed;

	PolledOutput(NativeProcess process, Child child, OutputLog log) {
		this.process = process;
		this.child = child;
		this.log = log;
	}

	@Override
	public Process process() {
		return this.process;
	}

	@Override
	public int awaitExit() throws InterruptedException {
		this.reading.lock();
		try {
			boolean ended = this.closed;
			while (!ended) {
				ended = copy(true, -1);
			}
			return this.process.waitFor();
		}
		finally {
			this.reading.unlock();
			closeIfWanted();
		}
	}

	/**
	 * Copies the available output, after the thread in {@link #awaitExit()} has returned:
	 * it does once the process has ended.
	 */
	@Override
	public boolean await(long millis) {
		boolean locked = false;
		try {
			long waited = 0;
			while (!locked && waited < millis) {
				locked = this.reading.tryLock(SLICE_MILLIS, TimeUnit.MILLISECONDS);
				waited += SLICE_MILLIS;
			}
			return locked && copyRest(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return locked && this.child.outputEnded();
		}
		finally {
			if (locked) {
				this.reading.unlock();
				closeIfWanted();
			}
		}
	}

	private boolean copyRest(long millis) {
		long waited = 0;
		while (!this.child.outputEnded() && waited < millis) {
			long before = System.nanoTime();
			copy(false, SLICE_MILLIS);
			waited += Math.min(SLICE_MILLIS, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before) + 1);
		}
		return this.child.outputEnded();
	}

	/**
	 * Waits once, and copies the readable output.
	 * @param exit whether to wait for the end of the process as well
	 * @return whether the process has ended
	 */
	private boolean copy(boolean exit, long millis) {
		int ready;
		try {
			ready = this.child.await(exit, millis);
		}
		catch (IOException ex) {
			throw new IllegalStateException("The output of a command cannot be waited for", ex);
		}
		copy(ready, Child.OUTPUT, OutputChannel.STDOUT);
		copy(ready, Child.ERRORS, OutputChannel.STDERR);
		return (ready & 1 << Child.EXIT) != 0;
	}

	private void copy(int ready, int stream, OutputChannel channel) {
		if ((ready & 1 << stream) == 0) {
			return;
		}
		try {
			if (this.buffer.length == 0) {
				this.buffer = new byte[FIRST_BUFFER];
			}
			int count = this.child.read(stream, this.buffer);
			for (int reads = 1; count > 0; reads++) {
				this.log.append(channel, this.buffer, 0, count);
				if (count == this.buffer.length && count < BUFFER) {
					this.buffer = new byte[BUFFER];
				}
				count = (reads < MOST_READS) ? this.child.read(stream, this.buffer) : 0;
			}
		}
		catch (IOException | OutOfMemoryError ex) {
			this.child.closeOutput(stream);
			logger.log(Level.DEBUG, "The output of a command ended early", ex);
		}
	}

	@Override
	public void close() {
		this.closed = true;
		closeIfWanted();
	}

	/**
	 * Closes the descriptors, unless a thread uses them: it closes them later.
	 */
	private void closeIfWanted() {
		if (this.closed && this.reading.tryLock()) {
			try {
				this.process.close();
			}
			finally {
				this.reading.unlock();
			}
		}
	}

}
