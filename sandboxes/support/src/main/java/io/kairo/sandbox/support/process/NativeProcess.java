package io.kairo.sandbox.support.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.kairo.linux.Child;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.output.ProcessOutput;

/**
 * A process that was started by a direct system call. Safe for use by several threads,
 * except for its streams.
 */
public class NativeProcess extends Process implements AutoCloseable {

	/** The means of measuring the CPU time of a command that is such a process. */
	public static final String CPU_TIME_MEANS = "what the kernel reports at the end of a process, without processes "
			+ "that left their parents and ended before the command";

	private static final long SLICE_MILLIS = 100;

	private final Child child;

	private final ProcessHandle handle;

	/**
	 * Creates the process.
	 * @param child the process, just started
	 * @throws IOException if there are no more descriptors; the process is killed then
	 */
	public NativeProcess(Child child) throws IOException {
		this.child = child;
		// it is not waited for yet, so the id is its own
		this.handle = ProcessHandle.of(child.pid()).orElseThrow(() -> {
			child.kill();
			return new IOException("The start time of the process " + child.pid()
					+ " cannot be read, perhaps since too many files are open");
		});
	}

	/**
	 * Copies the output to a log, on the threads that wait for the process. Its streams
	 * cannot be used otherwise then.
	 * @param log the log
	 * @return the output, whose end closes this process
	 */
	public ProcessOutput copyTo(OutputLog log) {
		return new PolledOutput(this, this.child, log);
	}

	@Override
	public OutputStream getOutputStream() {
		return this.child.input();
	}

	@Override
	public InputStream getInputStream() {
		return new ChildOutput(this.child, Child.OUTPUT);
	}

	@Override
	public InputStream getErrorStream() {
		return new ChildOutput(this.child, Child.ERRORS);
	}

	@Override
	public int waitFor() throws InterruptedException {
		boolean ended = false;
		while (!ended) {
			ended = waitFor(SLICE_MILLIS, TimeUnit.MILLISECONDS);
		}
		return exitValue();
	}

	@Override
	public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
		long deadline = System.nanoTime() + unit.toNanos(timeout);
		boolean ended = !isAlive();
		long left = deadline - System.nanoTime();
		while (!ended && left > 0) {
			if (Thread.interrupted()) {
				throw new InterruptedException("Interrupted while a process runs");
			}
			ended = awaitExit(Math.min(SLICE_MILLIS, TimeUnit.NANOSECONDS.toMillis(left) + 1));
			left = deadline - System.nanoTime();
		}
		return ended;
	}

	private boolean awaitExit(long millis) {
		try {
			return this.child.awaitExit(millis);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public int exitValue() {
		try {
			return this.child.exitCode()
				.orElseThrow(() -> new IllegalThreadStateException("The process has not ended"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public boolean isAlive() {
		try {
			return this.child.exitCode().isEmpty();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the CPU time of the process and the processes that it has waited for.
	 * @return the time in user and in kernel mode; empty before the process has ended
	 */
	public Optional<Duration> cpuTime() {
		return isAlive() ? Optional.empty() : this.child.cpuTime();
	}

	@Override
	public void destroy() {
		this.handle.destroy();
	}

	@Override
	public Process destroyForcibly() {
		this.handle.destroyForcibly();
		return this;
	}

	@Override
	public boolean supportsNormalTermination() {
		return true;
	}

	@Override
	public long pid() {
		return this.child.pid();
	}

	@Override
	public ProcessHandle toHandle() {
		return this.handle;
	}

	/**
	 * Closes the output streams, once no thread reads them. The process is not ended, and
	 * its input is closed on its own.
	 */
	@Override
	public void close() {
		this.child.close();
	}

	/**
	 * One of the output streams.
	 */
	private static final class ChildOutput extends InputStream {

		private final Child child;

		private final int number;

		ChildOutput(Child child, int number) {
			this.child = child;
			this.number = number;
		}

		@Override
		public int read() throws IOException {
			byte[] one = new byte[1];
			return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			byte[] bytes = new byte[length];
			int count = 0;
			while (count == 0 && length > 0) {
				this.child.await(false, -1);
				count = this.child.read(this.number, bytes);
			}
			System.arraycopy(bytes, 0, target, offset, Math.max(0, count));
			return count;
		}

	}

}
