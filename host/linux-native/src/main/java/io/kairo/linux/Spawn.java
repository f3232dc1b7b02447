package io.kairo.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A process that is about to be started by posix_spawn(3): in its own session, with the
 * default action for every signal, and with no descriptor of the JVM but its standard
 * streams. Everything is prepared beforehand, so that {@link #start()} is a single call
 * and can be made on a thread that is restricted. For use by one thread at a time.
 */
public final class Spawn implements AutoCloseable {

	/** More than posix_spawnattr_t and posix_spawn_file_actions_t have: 336 and 80. */
	private static final int OPAQUE = 512;

	/** POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID. */
	private static final int FLAGS = 0x04 | 0x08 | 0x80;

	/** More than sigset_t has: 128. */
	private static final int SIGNALS = 256;

	/**
	 * Functions that not every C library has, or that are called on a restricted thread.
	 */
	static final List<String> FUNCTIONS = List.of("posix_spawn", "posix_spawn_file_actions_addchdir_np",
			"posix_spawn_file_actions_addclosefrom_np");

	private static final int O_CLOEXEC = 0x80000;

	/** O_WRONLY | O_CREAT | O_TRUNC. */
	private static final int O_WRITE = 01 | 0100 | 01000;

	private static final int OWNER_ONLY = 0600;

	private static final int O_NONBLOCK = 04000;

	private static final int F_SETFL = 4;

	private final NativeLinux linux;

	private final ByteBuffer attributes = NativeLinux.memory(OPAQUE);

	private final ByteBuffer actions = NativeLinux.memory(OPAQUE);

	private final ByteBuffer id = NativeLinux.memory(4);

	private final ByteBuffer memoryOfChild = NativeLinux.memory(Child.MEMORY);

	private final Texts arguments;

	private final Texts environment;

	/** The ends of pipes that the process gets. */
	private final int[] given = closedStreams();

	/** Their other ends, kept by the JVM. */
	private final int[] kept = closedStreams();

	/** The C library frees memory each time it is told to. */
	private boolean closed;

	/**
	 * Prepares a process.
	 * @param linux the system calls
	 * @param arguments the path of the program, and its arguments
	 * @param environment the complete environment
	 * @param directory the working directory
	 * @param input whether the process has a pipe for its input, instead of
	 * {@code /dev/null}
	 * @param output whether it has pipes for its output and error output, instead of
	 * {@code /dev/null}
	 * @throws IOException if there are no more descriptors
	 * @throws UnsupportedOperationException if the C library cannot start such a process
	 */
	public Spawn(NativeLinux linux, List<String> arguments, Map<String, String> environment, Path directory,
			boolean input, boolean output) throws IOException {
		this.linux = linux;
		this.arguments = Texts.of(linux, arguments);
		this.environment = Texts.of(linux,
				environment.entrySet().stream().map((entry) -> entry.getKey() + "=" + entry.getValue()).toList());
		SystemCalls calls = linux.calls();
		FUNCTIONS.forEach(calls::link);
		require(calls.function("posix_spawnattr_init", this.attributes), "posix_spawnattr_init");
		require(calls.function("posix_spawn_file_actions_init", this.actions), "posix_spawn_file_actions_init");
		try {
			ByteBuffer all = NativeLinux.memory(SIGNALS);
			calls.function("sigfillset", all);
			require(calls.function("posix_spawnattr_setsigdefault", this.attributes, all), "setsigdefault");
			require(calls.function("posix_spawnattr_setsigmask", this.attributes, NativeLinux.memory(SIGNALS)),
					"setsigmask");
			require(calls.function("posix_spawnattr_setflags", this.attributes, FLAGS), "setflags");
			stream(0, input);
			stream(1, output);
			stream(2, output);
			require(calls.function("posix_spawn_file_actions_addchdir_np", this.actions,
					NativeLinux.text(directory.toString())), "addchdir");
			require(calls.function("posix_spawn_file_actions_addclosefrom_np", this.actions, 3), "addclosefrom");
		}
		catch (IOException | RuntimeException ex) {
			close();
			throw ex;
		}
	}

	private void stream(int number, boolean piped) throws IOException {
		SystemCalls calls = this.linux.calls();
		if (!piped) {
			require(calls.function("posix_spawn_file_actions_addopen", this.actions, number,
					NativeLinux.text("/dev/null"), (number == 0) ? 0 : 1, 0), "addopen");
			return;
		}
		ByteBuffer ends = NativeLinux.memory(8);
		this.linux.call(SystemCall.PIPE2, ends, O_CLOEXEC);
		int readable = ends.getInt(0);
		int writable = ends.getInt(4);
		this.given[number] = (number == 0) ? readable : writable;
		this.kept[number] = (number == 0) ? writable : readable;
		if (number != 0) {
			this.linux.call(SystemCall.FCNTL, readable, F_SETFL, O_NONBLOCK);
		}
		require(calls.function("posix_spawn_file_actions_adddup2", this.actions, this.given[number], number),
				"adddup2");
	}

	/**
	 * Lets the process start with a file open, besides its standard streams. The file is
	 * opened with the permissions of the thread that calls {@link #start()}; that call
	 * fails if it cannot be opened.
	 * @param number the number of the descriptor, above 2
	 * @param file the file
	 * @param written whether to open it for writing: it is emptied then, or created for
	 * its owner alone
	 * @throws SystemCallException if there is no memory
	 */
	public void open(int number, Path file, boolean written) throws SystemCallException {
		require(this.linux.calls()
			.function("posix_spawn_file_actions_addopen", this.actions, number, NativeLinux.text(file.toString()),
					written ? O_WRITE : 0, OWNER_ONLY),
				"addopen");
	}

	private static int[] closedStreams() {
		return new int[] { Child.CLOSED, Child.CLOSED, Child.CLOSED };
	}

	/**
	 * Returns the problem that prevents this JVM from starting processes.
	 * @param linux the system calls
	 * @return the problem, or null if there is none
	 */
	public static @Nullable String problem(NativeLinux linux) {
		if (linux.problem() != null) {
			return linux.problem();
		}
		try {
			linux.close((int) linux.call(SystemCall.PIDFD_OPEN, ProcessHandle.current().pid(), 0));
			return null;
		}
		catch (SystemCallException ex) {
			return "the kernel is older than Linux 5.3, a filter denies its calls, or too many files are open ("
					+ ex.getMessage() + ")";
		}
	}

	/**
	 * Starts the process from the calling thread, whose restrictions it inherits.
	 * @throws SystemCallException if the operating system refuses
	 */
	public void start() throws SystemCallException {
		if (this.closed) {
			throw new IllegalStateException("The process can no longer be started");
		}
		require(this.linux.calls()
			.function("posix_spawn", this.id, this.arguments.first(), this.actions, this.attributes,
					this.arguments.pointers(), this.environment.pointers()),
				"posix_spawn");
	}

	/**
	 * Returns the process after its {@linkplain #start() start}. It takes over the pipes.
	 * To be called once.
	 * @return the process, to be closed by the caller
	 * @throws SystemCallException if there are no more descriptors; the process is killed
	 * then
	 * @throws IllegalStateException if the process has not been started
	 */
	public Child child() throws SystemCallException {
		long pid = this.id.getInt(0);
		if (pid <= 0) {
			throw new IllegalStateException("The process has not been started");
		}
		int process;
		try {
			process = (int) this.linux.call(SystemCall.PIDFD_OPEN, pid, 0);
		}
		catch (SystemCallException ex) {
			Child.kill(this.linux, pid);
			throw ex;
		}
		Child child = new Child(this.linux, pid, process, this.kept.clone(), this.memoryOfChild);
		Arrays.fill(this.kept, Child.CLOSED);
		return child;
	}

	/**
	 * Releases the prepared resources. A started process keeps its streams.
	 */
	@Override
	public void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		this.linux.calls().function("posix_spawnattr_destroy", this.attributes);
		this.linux.calls().function("posix_spawn_file_actions_destroy", this.actions);
		close(this.given);
		close(this.kept);
	}

	private void close(int[] descriptors) {
		for (int descriptor : descriptors) {
			if (descriptor != Child.CLOSED) {
				this.linux.close(descriptor);
			}
		}
	}

	private static void require(int result, String function) throws SystemCallException {
		if (result != 0) {
			throw new SystemCallException(function, result);
		}
	}

	/**
	 * An array of pointers to texts that ends with a null pointer.
	 *
	 * @param pointers the array
	 * @param texts the texts, kept alive
	 */
	private record Texts(ByteBuffer pointers, List<ByteBuffer> texts) {

		static Texts of(NativeLinux linux, List<String> values) {
			List<ByteBuffer> texts = values.stream().map(NativeLinux::text).toList();
			ByteBuffer pointers = NativeLinux.memory(8 * (texts.size() + 1));
			texts.forEach((text) -> pointers.putLong(linux.calls().address(text)));
			return new Texts(pointers.rewind(), texts);
		}

		ByteBuffer first() {
			return this.texts.get(0);
		}

	}

}
