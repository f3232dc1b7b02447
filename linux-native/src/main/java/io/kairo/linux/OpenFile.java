package io.kairo.linux;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A file that is open for reading. Opening it follows no link, and does not wait for a
 * FIFO or the lease of another process. For use by one thread.
 *
 * @since 0.1.0
 */
public final class OpenFile implements Closeable {

	private static final int AT_FDCWD = -100;

	private static final int AT_SYMLINK_NOFOLLOW = 0x100;

	private static final int AT_EMPTY_PATH = 0x1000;

	private static final int O_NOCTTY = 0400;

	private static final int O_NONBLOCK = 04000;

	private static final int O_CLOEXEC = 02000000;

	/** Neither symbolic links nor those of {@code /proc}. */
	private static final int NO_LINKS = 0x2 | 0x4;

	private static final int HOW_BYTES = 24;

	/** The offset of a path in the memory of a call, behind the other arguments. */
	private static final int PATH = FileStatus.BYTES;

	private final NativeLinux linux;

	private final int descriptor;

	private boolean closed;

	private OpenFile(NativeLinux linux, int descriptor) {
		this.linux = linux;
		this.descriptor = descriptor;
	}

	/**
	 * Opens a file of any type.
	 * @param linux the system calls
	 * @param path the path, on which no link is followed
	 * @return the open file, to be closed by the caller
	 * @throws SystemCallException if there is a link on the way, another process holds a
	 * lease (EAGAIN), or it cannot be opened
	 */
	public static OpenFile open(NativeLinux linux, Path path) throws SystemCallException {
		ByteBuffer memory = linux.scratch().take();
		try {
			memory.putLong(0, O_NOCTTY | O_NONBLOCK | O_CLOEXEC).putLong(8, 0).putLong(16, NO_LINKS);
			long start = linux.calls().address(memory);
			put(path, memory);
			return new OpenFile(linux, (int) linux.call(SystemCall.OPENAT2, AT_FDCWD, start + PATH, start, HOW_BYTES));
		}
		finally {
			linux.scratch().give(memory);
		}
	}

	/**
	 * Returns the status of the entry with a path.
	 * @param linux the system calls
	 * @param path the path, of which the last name is not followed if it is a link
	 * @return the status
	 * @throws SystemCallException if there is none, or it cannot be reached
	 */
	public static FileStatus status(NativeLinux linux, Path path) throws SystemCallException {
		ByteBuffer memory = linux.scratch().take();
		try {
			put(path, memory);
			return status(linux, AT_FDCWD, AT_SYMLINK_NOFOLLOW, memory);
		}
		finally {
			linux.scratch().give(memory);
		}
	}

	private static void put(Path path, ByteBuffer memory) {
		byte[] bytes = NativeLinux.bytes(path.toString());
		memory.put(PATH, bytes).put(PATH + bytes.length, (byte) 0);
	}

	private static FileStatus status(NativeLinux linux, int descriptor, int flags, ByteBuffer memory)
			throws SystemCallException {
		long start = linux.calls().address(memory);
		linux.call(SystemCall.STATX, descriptor, start + PATH, flags, FileStatus.WANTED, start);
		return FileStatus.of(memory, 0);
	}

	/**
	 * Returns the status of this file.
	 * @return the status
	 * @throws SystemCallException if this file is closed (EBADF)
	 */
	public FileStatus status() throws SystemCallException {
		ByteBuffer memory = this.linux.scratch().take();
		try {
			memory.put(PATH, (byte) 0);
			return status(this.linux, requireOpen(SystemCall.STATX), AT_EMPTY_PATH, memory);
		}
		finally {
			this.linux.scratch().give(memory);
		}
	}

	/**
	 * Reads bytes.
	 * @param target receives them at its position, which advances
	 * @param position the position in this file
	 * @return the number of bytes, at most 131,072, or -1 at the end of this file
	 * @throws SystemCallException if this file cannot be read, or is closed (EBADF)
	 */
	public int read(ByteBuffer target, long position) throws SystemCallException {
		if (!target.hasRemaining()) {
			return 0;
		}
		ByteBuffer memory = this.linux.scratch().take();
		try {
			int count = (int) this.linux.call(SystemCall.PREAD64, requireOpen(SystemCall.PREAD64), memory,
					Math.min(memory.capacity(), target.remaining()), position);
			target.put(memory.limit(count));
			return (count == 0) ? -1 : count;
		}
		finally {
			this.linux.scratch().give(memory);
		}
	}

	private int requireOpen(SystemCall call) throws SystemCallException {
		if (this.closed) {
			// the number may be that of another descriptor by now
			throw new SystemCallException(call.name(), SystemCallException.EBADF);
		}
		return this.descriptor;
	}

	@Override
	public void close() {
		if (!this.closed) {
			this.closed = true;
			this.linux.close(this.descriptor);
		}
	}

}
