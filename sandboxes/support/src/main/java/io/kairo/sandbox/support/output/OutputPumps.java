package io.kairo.sandbox.support.output;

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
import io.kairo.sandbox.support.thread.DaemonThreads;

/**
 * Copies both output streams of a process to a log, each on its own daemon thread, until
 * they end. The threads are created before the process, so that they read from its start.
 */
public final class OutputPumps implements ProcessOutput {

	private static final Logger logger = System.getLogger(OutputPumps.class.getName());

	/** Most commands print little; from this size on the stream reads without a copy. */
	private static final int FIRST_BUFFER = 8 * 1024;

	private static final int BUFFER = 32 * 1024;

	private static final long SLICE_MILLIS = 25;

	private final OutputLog log;

	private final CompletableFuture<Process> process = new CompletableFuture<>();

	private final CountDownLatch running = new CountDownLatch(2);

	private volatile boolean closed;

	private OutputPumps(OutputLog log) {
		this.log = log;
	}

	/**
	 * Creates the threads. They wait for the process.
	 * @param log the log for the output
	 * @return the pumps
	 * @throws SandboxException if the threads cannot be created
	 */
	public static OutputPumps prepare(OutputLog log) {
		OutputPumps pumps = new OutputPumps(log);
		try {
			DaemonThreads.start("kairo-stdout", () -> pumps.pump(OutputChannel.STDOUT));
			DaemonThreads.start("kairo-stderr", () -> pumps.pump(OutputChannel.STDERR));
		}
		catch (OutOfMemoryError ex) {
			pumps.cancel();
			throw new SandboxException(SandboxErrorCode.START_FAILED, "No more threads can be created to read output",
					"run fewer commands at a time or allow more threads", ex);
		}
		return pumps;
	}

	/**
	 * Starts to read.
	 * @param started the process to read from
	 */
	public void begin(Process started) {
		this.process.complete(started);
	}

	/**
	 * Ends the threads if the process could not be started.
	 */
	public void cancel() {
		this.process.cancel(false);
	}

	@Override
	public Process process() {
		return this.process.join();
	}

	@Override
	public int awaitExit() throws InterruptedException {
		return process().waitFor();
	}

	@Override
	public boolean await(long millis) {
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
	 * Stops reading. A thread that is blocked in a read cannot be woken; it ends when the
	 * process that holds the stream open writes to it or ends.
	 */
	@Override
	public void close() {
		this.closed = true;
	}

	private void pump(OutputChannel channel) {
		try {
			Process source = this.process.join();
			Thread.currentThread().setName(Thread.currentThread().getName() + "-" + source.pid());
			boolean error = channel == OutputChannel.STDERR;
			pump(error ? source.getErrorStream() : source.getInputStream(), channel);
		}
		catch (CancellationException ex) {
			logger.log(Level.TRACE, "The process was not started", ex);
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
	 * streams, although its remaining children may still print, unless a thread holds the
	 * monitor of the stream, as a read does. The monitor is therefore held between reads
	 * too.
	 */
	private void pump(InputStream stream, OutputChannel channel) throws IOException {
		byte[] buffer = new byte[FIRST_BUFFER];
		try (stream) {
			synchronized (stream) {
				int count = stream.read(buffer);
				while (count >= 0 && !this.closed) {
					this.log.append(channel, buffer, 0, count);
					boolean grow = count == buffer.length && count < BUFFER;
					buffer = grow ? new byte[BUFFER] : buffer;
					count = stream.read(buffer);
				}
			}
		}
	}

}
