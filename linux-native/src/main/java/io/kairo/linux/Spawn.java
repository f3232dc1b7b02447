package io.kairo.linux;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A process that is about to be started by posix_spawn(3): in its own session, with the
 * default action for every signal, and with no descriptor of the JVM but its standard
 * streams. Everything is prepared beforehand, so that {@link #start()} is a single call
 * and can be made on a thread that is restricted. For use by one thread at a time.
 *
 * @since 0.1.0
 */
public final class Spawn implements AutoCloseable {

	/** More than posix_spawnattr_t and posix_spawn_file_actions_t have: 336 and 80. */
	private static final int OPAQUE = 512;

	/** POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID. */
	private static final int FLAGS = 0x04 | 0x08 | 0x80;

	/** More than sigset_t has: 128. */
	private static final int SIGNALS = 256;

	/** What not every C library has, and what is called on a restricted thread. */
	static final List<String> FUNCTIONS = List.of("posix_spawn", "posix_spawn_file_actions_addchdir_np",
			"posix_spawn_file_actions_addclosefrom_np");

	private static final int O_CLOEXEC = 0x80000;

	private final NativeLinux linux;

	private final ByteBuffer attributes = NativeLinux.memory(OPAQUE);

	private final ByteBuffer actions = NativeLinux.memory(OPAQUE);

	private final ByteBuffer id = NativeLinux.memory(4);

	private final Texts arguments;

	private final Texts environment;

	/** The descriptors of the process, by number; null for {@code /dev/null}. */
	private final List<@Nullable Pipe> pipes = new ArrayList<>();

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
		Pipe pipe = piped ? Pipe.create(this.linux) : null;
		this.pipes.add(pipe);
		SystemCalls calls = this.linux.calls();
		if (pipe != null) {
			int end = (number == 0) ? pipe.reading() : pipe.writing();
			require(calls.function("posix_spawn_file_actions_adddup2", this.actions, end, number), "adddup2");
		}
		else {
			require(calls.function("posix_spawn_file_actions_addopen", this.actions, number,
					NativeLinux.text("/dev/null"), (number == 0) ? 0 : 1, 0), "addopen");
		}
	}

	/**
	 * Starts the process from the calling thread, whose restrictions it inherits.
	 * @return the process id
	 * @throws SystemCallException if the operating system refuses
	 */
	public long start() throws SystemCallException {
		if (this.closed) {
			throw new IllegalStateException("The process can no longer be started");
		}
		require(this.linux.calls()
			.function("posix_spawn", this.id, this.arguments.first(), this.actions, this.attributes,
					this.arguments.pointers(), this.environment.pointers()),
				"posix_spawn");
		return this.id.getInt(0);
	}

	/**
	 * Opens the end of a standard stream of the process that belongs to the JVM.
	 * @param number 1 for the output, 2 for the error output
	 * @return a stream to close
	 * @throws IOException if there are no more descriptors
	 */
	public InputStream output(int number) throws IOException {
		Pipe pipe = this.pipes.get(number);
		return (pipe != null) ? new FileInputStream("/proc/self/fd/" + pipe.reading()) : InputStream.nullInputStream();
	}

	/**
	 * Opens the standard input of the process for writing.
	 * @return a stream to close
	 * @throws IOException if there are no more descriptors
	 */
	public OutputStream input() throws IOException {
		Pipe pipe = this.pipes.get(0);
		return (pipe != null) ? new FileOutputStream("/proc/self/fd/" + pipe.writing())
				: OutputStream.nullOutputStream();
	}

	/**
	 * Releases what was prepared. A started process keeps its streams.
	 */
	@Override
	public void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		this.linux.calls().function("posix_spawnattr_destroy", this.attributes);
		this.linux.calls().function("posix_spawn_file_actions_destroy", this.actions);
		for (Pipe pipe : this.pipes) {
			if (pipe != null) {
				this.linux.close(pipe.reading());
				this.linux.close(pipe.writing());
			}
		}
		this.pipes.clear();
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

	/**
	 * A pipe of the kernel.
	 *
	 * @param reading the descriptor to read from
	 * @param writing the descriptor to write to
	 */
	private record Pipe(int reading, int writing) {

		static Pipe create(NativeLinux linux) throws SystemCallException {
			ByteBuffer ends = NativeLinux.memory(8);
			linux.call(SystemCall.PIPE2, ends, O_CLOEXEC);
			return new Pipe(ends.getInt(0), ends.getInt(4));
		}

	}

}
