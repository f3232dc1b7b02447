package io.kairo.sandbox.support;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;

/**
 * Reads both streams of a process into a log, each on a daemon thread of its own, until
 * they end. Always reads, so that the process never waits. The threads are there before
 * the process is, so that they read from its first moment on.
 */
final class OutputPumps {

	private static final Logger logger = System.getLogger(OutputPumps.class.getName());

	/** Most commands print little; as much as makes the stream read without a copy. */
	private static final int FIRST_BUFFER = 8 * 1024;

	private static final int BUFFER = 32 * 1024;

	private static final long SLICE_MILLIS = 25;

	private final OutputLog log;

	private final CompletableFuture<Process> process = new CompletableFuture<>();

	private final CountDownLatch running = new CountDownLatch(2);

	private volatile boolean abandoned;

	private OutputPumps(OutputLog log) {
		this.log = log;
	}

	static OutputPumps prepare(OutputLog log) {
		OutputPumps pumps = new OutputPumps(log);
		try {
			DaemonThreads.start("kairo-stdout", () -> pumps.pump(OutputChannel.STDOUT));
			DaemonThreads.start("kairo-stderr", () -> pumps.pump(OutputChannel.STDERR));
		}
		catch (OutOfMemoryError ex) {
			pumps.cancel();
			throw new SandboxException(SandboxErrorCode.START_FAILED, "There is no thread left to read output",
					"run fewer commands at a time or allow more threads", ex);
		}
		return pumps;
	}

	void begin(Process started) {
		this.process.complete(started);
	}

	/**
	 * Sends the threads home, for a process that could not be started.
	 */
	void cancel() {
		this.process.cancel(false);
	}

	/**
	 * Waits until both streams have ended. Waits in slices, so that a pause of the whole
	 * JVM does not look like a stream that is held open.
	 * @return false if they have not in that time
	 */
	boolean await(long millis) {
		try {
			for (long waited = 0; waited < millis; waited += SLICE_MILLIS) {
				if (this.running.await(SLICE_MILLIS, TimeUnit.MILLISECONDS)) {
					return true;
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return this.running.getCount() == 0;
	}

	/**
	 * Stops reading. A thread that is blocked in reading cannot be woken: it ends when
	 * the process that holds the stream open writes to it or ends.
	 */
	void abandon() {
		this.abandoned = true;
	}

	private void pump(OutputChannel channel) {
		try {
			Process source = this.process.join();
			Thread.currentThread().setName(Thread.currentThread().getName() + "-" + source.pid());
			boolean error = channel == OutputChannel.STDERR;
			pump(error ? source.getErrorStream() : source.getInputStream(), channel);
		}
		catch (CancellationException ex) {
			logger.log(Level.TRACE, "There is nothing to read", ex);
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The output of a command ended early", ex);
		}
		finally {
			this.running.countDown();
		}
	}

	/**
	 * Reads a stream to its end. When a process ends, the Java platform closes its
	 * streams, although what the process has left running may still print - unless
	 * somebody holds the monitor of the stream, as reading does. So it is held between
	 * two reads, too.
	 */
	private void pump(InputStream stream, OutputChannel channel) throws IOException {
		byte[] buffer = new byte[FIRST_BUFFER];
		try (stream) {
			synchronized (stream) {
				int count = stream.read(buffer);
				while (count >= 0 && !this.abandoned) {
					this.log.append(channel, buffer, 0, count);
					boolean grow = count == buffer.length && count < BUFFER;
					buffer = grow ? new byte[BUFFER] : buffer;
					count = stream.read(buffer);
				}
			}
		}
	}

}
