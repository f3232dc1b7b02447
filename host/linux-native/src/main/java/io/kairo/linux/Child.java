package io.kairo.linux;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A process that this JVM has {@linkplain Spawn started}, with the other ends of its
 * pipes. One thread at a time may wait for output and read it, one may write input;
 * {@link #exitCode()} and {@link #awaitExit} are safe for use by several threads until
 * this is closed.
 */
public final class Child implements AutoCloseable {

	/** The number of the output in the result of {@link #await}. */
	public static final int OUTPUT = 0;

	/** The number of the error output in the result of {@link #await}. */
	public static final int ERRORS = 1;

	/** The number of the end of the process in the result of {@link #await}. */
	public static final int EXIT = 2;

	private static final int SIGKILL = 9;

	private static final int WNOHANG = 1;

	private static final int SIGNALLED = 128;

	private static final int SIGNAL_MASK = 0x7f;

	private static final int EXIT_CODE_MASK = 0xff;

	/** A pollfd: the descriptor, and two bytes each for events and results. */
	private static final int POLLED_BYTES = 8;

	private static final int RESULTS_OFFSET = 6;

	private static final short POLLIN = 1;

	/** Behind the polled descriptors. */
	private static final int TIMEOUT_OFFSET = 3 * POLLED_BYTES;

	private static final int STATUS_OFFSET = TIMEOUT_OFFSET + 16;

	/**
	 * The usage: user and system time, in seconds and microseconds, then other values.
	 */
	private static final int USAGE_OFFSET = STATUS_OFFSET + 8;

	private static final int USAGE_BYTES = 144;

	/** Number of bytes that a child needs for its calls. */
	static final int MEMORY = USAGE_OFFSET + USAGE_BYTES;

	private static final int MILLIS = 1000;

	private static final int NANOS_OF_MILLI = 1_000_000;

	/** Instead of a descriptor. */
	static final int CLOSED = -1;

	private final NativeLinux linux;

	private final long pid;

	/** The descriptors of output, error output and process. */
	private final int[] descriptors = new int[3];

	/** The memory of {@link #await} and, behind that, of {@link #exitCode()}. */
	private final ByteBuffer memory;

	private final PipeOutput input;

	private int exitCode = -1;

	private Duration cpuTime = Duration.ZERO;

	/**
	 * Takes over a process and the descriptors.
	 * @param process a descriptor of the process
	 * @param streams the descriptors of its input, output and error output
	 * @param memory {@link #MEMORY} bytes
	 */
	Child(NativeLinux linux, long pid, int process, int[] streams, ByteBuffer memory) {
		this.linux = linux;
		this.pid = pid;
		this.memory = memory;
		this.input = new PipeOutput(linux, streams[0]);
		this.descriptors[OUTPUT] = streams[1];
		this.descriptors[ERRORS] = streams[2];
		this.descriptors[EXIT] = process;
	}

	/**
	 * Returns the process id. No other process has it before {@link #exitCode()} has
	 * returned a code.
	 * @return the id
	 */
	public long pid() {
		return this.pid;
	}

	/**
	 * Returns the standard input of the process. A write waits while the process does not
	 * read. It is closed on its own, since a thread may be writing when this is closed:
	 * only that thread knows when the descriptor is not in use.
	 * @return a stream for use by one thread at a time, to be closed by the caller; it
	 * refuses to write if the process has no pipe
	 */
	public OutputStream input() {
		return this.input;
	}

	/**
	 * Waits until output can be read, and if that is wanted, until the process ends.
	 * @param exit whether to wait for the end as well
	 * @param millis the timeout in milliseconds, negative for none
	 * @return a set of bits with the numbers {@link #OUTPUT}, {@link #ERRORS} and
	 * {@link #EXIT}; zero after the timeout, and when there is nothing to wait for
	 * @throws SystemCallException if the kernel refuses to wait
	 */
	public int await(boolean exit, long millis) throws SystemCallException {
		for (int i = 0; i < this.descriptors.length; i++) {
			// the kernel skips negative descriptors
			poll(this.memory, i, (i != EXIT || exit) ? this.descriptors[i] : CLOSED);
		}
		return (outputEnded() && !exit) ? 0 : poll(this.memory, millis);
	}

	/**
	 * Waits until the process ends, without reading its output. The id of the process is
	 * released then.
	 * @param millis the timeout in milliseconds
	 * @return false after the timeout
	 * @throws SystemCallException if the kernel refuses to wait
	 */
	public boolean awaitExit(long millis) throws SystemCallException {
		if (exitCode().isPresent()) {
			return true;
		}
		ByteBuffer own = NativeLinux.memory(MEMORY);
		poll(own, OUTPUT, CLOSED);
		poll(own, ERRORS, CLOSED);
		poll(own, EXIT, this.descriptors[EXIT]);
		// no zombie is left
		return poll(own, millis) != 0 && exitCode().isPresent();
	}

	private static void poll(ByteBuffer polled, int number, int descriptor) {
		polled.putInt(number * POLLED_BYTES, descriptor);
		polled.putInt(number * POLLED_BYTES + 4, 0);
		polled.putShort(number * POLLED_BYTES + 4, POLLIN);
	}

	private int poll(ByteBuffer polled, long millis) throws SystemCallException {
		long timeout = 0;
		if (millis >= 0) {
			polled.putLong(TIMEOUT_OFFSET, millis / MILLIS);
			polled.putLong(TIMEOUT_OFFSET + 8, millis % MILLIS * NANOS_OF_MILLI);
			timeout = this.linux.calls().address(polled) + TIMEOUT_OFFSET;
		}
		// the kernel updates the time that is left
		this.linux.callWaiting(SystemCall.PPOLL, polled, this.descriptors.length, timeout, 0, 0);
		int ready = 0;
		for (int i = 0; i < this.descriptors.length; i++) {
			ready |= (polled.getShort(i * POLLED_BYTES + RESULTS_OFFSET) != 0) ? 1 << i : 0;
		}
		return ready;
	}

	/**
	 * Reads output, at most 131,072 bytes, without waiting for it.
	 * @param stream {@link #OUTPUT} or {@link #ERRORS}
	 * @param target receives the bytes
	 * @return the number of bytes, 0 if there are none yet, or -1 at the end
	 * @throws SystemCallException if it cannot be read
	 */
	public int read(int stream, byte[] target) throws SystemCallException {
		if (this.descriptors[stream] == CLOSED) {
			return -1;
		}
		ByteBuffer scratch = this.linux.scratch().take();
		try {
			long count = this.linux.calls()
				.call(SystemCall.READ, this.descriptors[stream], scratch, Math.min(scratch.capacity(), target.length));
			if (count == -SystemCallException.EAGAIN || count == -SystemCallException.EINTR) {
				return 0;
			}
			if (count == 0) {
				close(stream);
				return -1;
			}
			scratch.get(target, 0, (int) NativeLinux.requireDone(SystemCall.READ, count));
			return (int) count;
		}
		finally {
			this.linux.scratch().give(scratch);
		}
	}

	/**
	 * Closes an output, although it may not have ended.
	 * @param stream {@link #OUTPUT} or {@link #ERRORS}
	 */
	public void closeOutput(int stream) {
		close(stream);
	}

	/**
	 * Returns whether both the output and the error output have ended or been closed.
	 * @return whether there is nothing more to read
	 */
	public boolean outputEnded() {
		return this.descriptors[OUTPUT] == CLOSED && this.descriptors[ERRORS] == CLOSED;
	}

	/**
	 * Returns the exit code. The id of the process is released then.
	 * @return the code, or 128 plus the number of the signal that ended the process;
	 * empty if it has not ended
	 * @throws SystemCallException if there is no such process
	 */
	public synchronized OptionalInt exitCode() throws SystemCallException {
		if (this.exitCode < 0) {
			long address = this.linux.calls().address(this.memory);
			if (this.linux.call(SystemCall.WAIT4, this.pid, address + STATUS_OFFSET, WNOHANG,
					address + USAGE_OFFSET) == 0) {
				return OptionalInt.empty();
			}
			this.cpuTime = time(USAGE_OFFSET).plus(time(USAGE_OFFSET + 16));
			int value = this.memory.getInt(STATUS_OFFSET);
			int signal = value & SIGNAL_MASK;
			this.exitCode = (signal != 0) ? SIGNALLED + signal : (value >> Byte.SIZE) & EXIT_CODE_MASK;
		}
		return OptionalInt.of(this.exitCode);
	}

	private Duration time(int offset) {
		return Duration.ofSeconds(this.memory.getLong(offset)).plus(this.memory.getLong(offset + 8), ChronoUnit.MICROS);
	}

	/**
	 * Returns the CPU time of the process and of the processes that it has waited for, as
	 * getrusage(2) defines it.
	 * @return the time in user and in kernel mode; empty before {@link #exitCode()} has
	 * returned a code
	 */
	public synchronized Optional<Duration> cpuTime() {
		return (this.exitCode >= 0) ? Optional.of(this.cpuTime) : Optional.empty();
	}

	/**
	 * Kills the process with the group that it leads, waits for its end and closes all
	 * streams. For a process that cannot be used after its start: no other thread may use
	 * it.
	 */
	public synchronized void kill() {
		if (this.exitCode < 0) {
			kill(this.linux, this.pid);
		}
		this.input.close();
		close();
	}

	/**
	 * Kills a process that nothing has waited for, and waits for its end.
	 */
	static void kill(NativeLinux linux, long pid) {
		linux.calls().call(SystemCall.KILL, -pid, SIGKILL);
		linux.calls().call(SystemCall.WAIT4, pid, 0, 0, 0);
	}

	/**
	 * Closes the output, the error output and the descriptor of the process. The process
	 * is not ended, and its input stays open.
	 */
	@Override
	public void close() {
		for (int i = 0; i < this.descriptors.length; i++) {
			close(i);
		}
	}

	private void close(int number) {
		if (this.descriptors[number] != CLOSED) {
			this.linux.close(this.descriptors[number]);
			this.descriptors[number] = CLOSED;
		}
	}

	/**
	 * The end of a pipe to write to.
	 */
	private static final class PipeOutput extends OutputStream {

		private final NativeLinux linux;

		private int descriptor;

		PipeOutput(NativeLinux linux, int descriptor) {
			this.linux = linux;
			this.descriptor = descriptor;
		}

		@Override
		public void write(int octet) throws IOException {
			write(new byte[] { (byte) octet }, 0, 1);
		}

		@Override
		public void write(byte[] data, int offset, int length) throws IOException {
			ByteBuffer memory = this.linux.scratch().take();
			try {
				int done = 0;
				while (done < length) {
					int part = Math.min(memory.capacity(), length - done);
					memory.put(0, data, offset + done, part);
					done += (int) this.linux.callWaiting(SystemCall.WRITE, this.descriptor, memory, part);
				}
			}
			finally {
				this.linux.scratch().give(memory);
			}
		}

		@Override
		public void close() {
			if (this.descriptor != CLOSED) {
				this.linux.close(this.descriptor);
				this.descriptor = CLOSED;
			}
		}

	}

}
