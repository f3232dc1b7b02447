package io.kairo.linux;

import java.nio.ByteBuffer;

/**
 * System calls with the path of an entry. No link is followed, and no call waits for a
 * FIFO or the lease of another process.
 */
final class EntryCalls {

	/** The current directory, for paths that are absolute. */
	static final int AT_FDCWD = -100;

	private static final int AT_SYMLINK_NOFOLLOW = 0x100;

	private static final int AT_EMPTY_PATH = 0x1000;

	private static final int O_NOCTTY = 0400;

	private static final int O_NONBLOCK = 04000;

	private static final int O_CLOEXEC = 02000000;

	/** Neither symbolic links nor the links of {@code /proc}. */
	private static final int NO_LINKS = 0x2 | 0x4;

	/** Nothing but entries below the directory that a path starts in. */
	private static final int BENEATH = 0x8;

	private static final int HOW_BYTES = 24;

	/** The offset of a path in the memory of a call, behind the other arguments. */
	private static final int PATH = FileStatus.BYTES;

	private EntryCalls() {
	}

	/**
	 * Opens an entry for reading.
	 * @param directory the descriptor of the directory that the path starts in, or
	 * {@link #AT_FDCWD}
	 * @param path the path, below the directory if there is one
	 * @param flags further flags, see open(2)
	 * @return the descriptor
	 * @throws SystemCallException if there is a link on the way, another process holds a
	 * lease (EAGAIN), or it cannot be opened
	 */
	static int open(NativeLinux linux, int directory, String path, int flags) throws SystemCallException {
		ByteBuffer memory = linux.scratch().take();
		try {
			memory.putLong(0, O_NOCTTY | O_NONBLOCK | O_CLOEXEC | flags)
				.putLong(8, 0)
				.putLong(16, (directory == AT_FDCWD) ? NO_LINKS : NO_LINKS | BENEATH);
			long start = linux.calls().address(memory);
			put(path, memory);
			return (int) linux.callWaiting(SystemCall.OPENAT2, directory, start + PATH, start, HOW_BYTES, 0);
		}
		finally {
			linux.scratch().give(memory);
		}
	}

	/**
	 * Returns the status of an entry.
	 * @param directory as of {@link #open}
	 * @param path the path; its last name is not followed if it is a link
	 * @throws SystemCallException if there is no such entry, or it cannot be reached
	 */
	static FileStatus status(NativeLinux linux, int directory, String path) throws SystemCallException {
		return status(linux, directory, path, AT_SYMLINK_NOFOLLOW);
	}

	/**
	 * Returns the status of an open file or directory.
	 * @throws SystemCallException if the descriptor is not open
	 */
	static FileStatus status(NativeLinux linux, int descriptor) throws SystemCallException {
		return status(linux, descriptor, "", AT_EMPTY_PATH);
	}

	private static FileStatus status(NativeLinux linux, int descriptor, String path, int flags)
			throws SystemCallException {
		ByteBuffer memory = linux.scratch().take();
		try {
			put(path, memory);
			long start = linux.calls().address(memory);
			linux.callWaiting(SystemCall.STATX, descriptor, start + PATH, flags, FileStatus.WANTED, start);
			return FileStatus.of(memory, 0);
		}
		finally {
			linux.scratch().give(memory);
		}
	}

	private static void put(String path, ByteBuffer memory) {
		byte[] bytes = NativeLinux.bytes(path);
		memory.put(PATH, bytes).put(PATH + bytes.length, (byte) 0);
	}

	/**
	 * Returns a descriptor.
	 * @param descriptor the descriptor, negative once it is closed, as another descriptor
	 * may have its number by then
	 * @throws SystemCallException if it is closed (EBADF)
	 */
	static int requireOpen(int descriptor, SystemCall call) throws SystemCallException {
		if (descriptor < 0) {
			throw new SystemCallException(call.name(), SystemCallException.EBADF);
		}
		return descriptor;
	}

}
