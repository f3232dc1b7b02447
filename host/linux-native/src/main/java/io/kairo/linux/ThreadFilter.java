package io.kairo.linux;

import java.nio.ByteBuffer;

/**
 * A filter for system calls (seccomp) that a thread can install for itself. Immutable.
 */
public final class ThreadFilter {

	private static final int SET_MODE_FILTER = 1;

	private static final int INSTRUCTION = 8;

	private final NativeLinux linux;

	private final ByteBuffer program;

	/**
	 * Creates a filter.
	 * @param linux the system calls
	 * @param program the instructions of the filter in the format of seccomp(2)
	 */
	public ThreadFilter(NativeLinux linux, byte[] program) {
		this.linux = linux;
		this.program = NativeLinux.memory(program.length).put(program).rewind();
	}

	/**
	 * Installs the filter for the calling thread, and for every process and thread that
	 * it starts from now on, for good. Requires that the thread cannot gain privileges.
	 * @throws SystemCallException if the kernel refuses it
	 */
	public void install() throws SystemCallException {
		ByteBuffer header = NativeLinux.memory(16);
		header.putShort(0, (short) (this.program.capacity() / INSTRUCTION));
		header.putLong(8, this.linux.calls().address(this.program));
		this.linux.call(SystemCall.SECCOMP, SET_MODE_FILTER, 0, header);
	}

}
