package io.kairo.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;

import org.jspecify.annotations.Nullable;

/**
 * The direct system calls of this JVM, if it can make them: on Linux with an x86-64 or
 * aarch64 processor, on Java 22 or newer, with native access. The numbers for aarch64
 * have not been run. Immutable and safe for use by several threads.
 */
public final class NativeLinux {

	private static final int LEAST_JAVA = 22;

	private static final int PR_SET_NO_NEW_PRIVS = 38;

	private static final String FOREIGN = "io.kairo.linux.ForeignCalls";

	/** As the Java platform encodes paths and arguments. */
	static final Charset PATHS = Charset
		.forName(System.getProperty("sun.jnu.encoding", Charset.defaultCharset().name()));

	private final @Nullable SystemCalls calls;

	private final @Nullable String problem;

	private final Scratch scratch = new Scratch();

	private NativeLinux(@Nullable SystemCalls calls, @Nullable String problem) {
		this.calls = calls;
		this.problem = problem;
	}

	/**
	 * Returns the calls of this JVM. The first use of native access prints a warning of
	 * the JVM if that is not enabled, see {@code --enable-native-access}.
	 * @return the calls
	 */
	public static NativeLinux find() {
		return Found.LINUX;
	}

	private static NativeLinux create() {
		if (!System.getProperty("os.name").equals("Linux")) {
			return new NativeLinux(null, "this is " + System.getProperty("os.name") + ", not Linux");
		}
		Processor processor = Processor.ofThisMachine();
		if (processor == null) {
			return new NativeLinux(null,
					"the system calls of the processor " + System.getProperty("os.arch") + " are not known");
		}
		int version = Runtime.version().feature();
		if (version < LEAST_JAVA) {
			return new NativeLinux(null,
					"Java " + version + " cannot make system calls; use Java " + LEAST_JAVA + " or newer");
		}
		try {
			Object calls = Class.forName(FOREIGN).getDeclaredConstructor(Processor.class).newInstance(processor);
			return tryOut((SystemCalls) calls);
		}
		catch (ClassNotFoundException ex) {
			return new NativeLinux(null, "kairo-linux-native was built on a JDK older than " + LEAST_JAVA
					+ ", or is on the class path as a directory of classes instead of its jar");
		}
		catch (ExceptionInInitializerError ex) {
			return new NativeLinux(null, "the JVM refuses native access (" + ex.getCause()
					+ "); start it with --enable-native-access=ALL-UNNAMED");
		}
		catch (ReflectiveOperationException | LinkageError ex) {
			return new NativeLinux(null, "system calls are not available: " + ex);
		}
	}

	private static NativeLinux tryOut(SystemCalls calls) {
		try {
			Spawn.FUNCTIONS.forEach(calls::link);
		}
		catch (UnsupportedOperationException ex) {
			return new NativeLinux(null, ex.getMessage() + "; use glibc 2.34 or newer");
		}
		long pid = calls.call(SystemCall.GETPID);
		// creates the exception, whose class a confined thread might not find
		int error = new SystemCallException(SystemCall.CLOSE.name(), (int) -calls.call(SystemCall.CLOSE, -1)).error();
		return (pid == ProcessHandle.current().pid() && error == SystemCallException.EBADF)
				? new NativeLinux(calls, null) : new NativeLinux(null, "system calls return " + pid + " and " + error
						+ " instead of the id of this process and the error of a bad descriptor");
	}

	/**
	 * Returns the problem that prevents system calls.
	 * @return the problem, or null if they can be made
	 */
	public @Nullable String problem() {
		return this.problem;
	}

	/**
	 * Returns the id of the calling thread, its name in {@code /proc/self/task}.
	 * @return the id
	 * @throws SystemCallException if the kernel refuses it
	 */
	public long threadId() throws SystemCallException {
		return call(SystemCall.GETTID);
	}

	/**
	 * Prevents the calling thread, and every process and thread that it starts from now
	 * on, from gaining privileges, such as by programs with a set-user-ID bit, for good.
	 * All other threads of the JVM are unaffected.
	 * @throws SystemCallException if the kernel refuses it
	 */
	public void refusePrivileges() throws SystemCallException {
		call(SystemCall.PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	}

	/**
	 * Makes a system call.
	 * @throws SystemCallException if the kernel refuses it
	 * @throws IllegalStateException if there is a {@link #problem()}
	 */
	long call(SystemCall call, Object... arguments) throws SystemCallException {
		return requireDone(call, calls().call(call, arguments));
	}

	/**
	 * Makes a system call that may wait, again each time a signal interrupts it.
	 * @throws SystemCallException if the kernel refuses it
	 * @throws IllegalStateException if there is a {@link #problem()}
	 */
	long callWaiting(SystemCall call, Object... arguments) throws SystemCallException {
		long result = calls().call(call, arguments);
		while (result == -SystemCallException.EINTR) {
			result = calls().call(call, arguments);
		}
		return requireDone(call, result);
	}

	/**
	 * Makes a system call without allocating memory, again each time a signal interrupts
	 * it.
	 * @throws SystemCallException if the kernel refuses it
	 * @throws IllegalStateException if there is a {@link #problem()}
	 */
	long callWaiting(SystemCall call, long first, long second, long third, long fourth, long fifth)
			throws SystemCallException {
		SystemCalls calls = calls();
		long result = calls.call(call, first, second, third, fourth, fifth);
		while (result == -SystemCallException.EINTR) {
			result = calls.call(call, first, second, third, fourth, fifth);
		}
		return requireDone(call, result);
	}

	/**
	 * Returns the result of a call unless it is a negative error number.
	 * @throws SystemCallException if it is
	 */
	static long requireDone(SystemCall call, long result) throws SystemCallException {
		if (result < 0) {
			throw new SystemCallException(call.name(), (int) -result);
		}
		return result;
	}

	/**
	 * Returns the calls.
	 * @throws IllegalStateException if there is a {@link #problem()}
	 */
	SystemCalls calls() {
		if (this.calls == null) {
			throw new IllegalStateException("No system calls: " + this.problem);
		}
		return this.calls;
	}

	/**
	 * Closes a descriptor. Failures are ignored: the descriptor is closed in any case.
	 */
	void close(int descriptor) {
		calls().call(SystemCall.CLOSE, descriptor);
	}

	/**
	 * Returns zeroed memory in native byte order.
	 */
	static ByteBuffer memory(int bytes) {
		return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
	}

	/**
	 * Returns the memory that calls share.
	 */
	Scratch scratch() {
		return this.scratch;
	}

	/**
	 * Returns a text as bytes.
	 * @throws IllegalArgumentException if the text contains a NUL
	 */
	static byte[] bytes(String text) {
		if (text.indexOf('\0') >= 0) {
			throw new IllegalArgumentException("A text for the kernel contains a NUL character");
		}
		return text.getBytes(PATHS);
	}

	/**
	 * Returns a text as bytes that end with a NUL.
	 * @throws IllegalArgumentException if the text contains a NUL
	 */
	static ByteBuffer text(String text) {
		byte[] bytes = bytes(text);
		return memory(bytes.length + 1).put(bytes).rewind();
	}

	/**
	 * Holder of the system calls. They are looked up on the first use.
	 */
	private static final class Found {

		private static final NativeLinux LINUX = create();

	}

}
