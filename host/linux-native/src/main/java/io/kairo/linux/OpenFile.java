package io.kairo.linux;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A file that is open for reading. Opening it follows no link, and does not wait for a
 * FIFO or the lease of another process. For use by one thread.
 */
public final class OpenFile implements Closeable {

	private final NativeLinux linux;

	/** Negative before this file is open, and once it is closed. */
	private int descriptor = -1;

	private OpenFile(NativeLinux linux) {
		this.linux = linux;
	}

	/**
	 * Opens a file of any type.
	 * @param linux the system calls
	 * @param path the absolute path; no link in it is followed
	 * @return the open file, to be closed by the caller
	 * @throws SystemCallException if there is a link on the way, another process holds a
	 * lease (EAGAIN), or it cannot be opened
	 */
	public static OpenFile open(NativeLinux linux, Path path) throws SystemCallException {
		return open(linux, EntryCalls.AT_FDCWD, path.toString());
	}

	/**
	 * Opens a file of any type.
	 * @param directory the descriptor of the directory that the path starts in
	 */
	static OpenFile open(NativeLinux linux, int directory, String path) throws SystemCallException {
		OpenFile opened = new OpenFile(linux);
		opened.descriptor = EntryCalls.open(linux, directory, path, 0);
		return opened;
	}

	/**
	 * Returns the status of the entry with a path.
	 * @param linux the system calls
	 * @param path the absolute path; its last name is not followed if it is a link
	 * @return the status
	 * @throws SystemCallException if there is none, or it cannot be reached
	 */
	public static FileStatus status(NativeLinux linux, Path path) throws SystemCallException {
		return EntryCalls.status(linux, EntryCalls.AT_FDCWD, path.toString());
	}

	/**
	 * Returns the status of this file.
	 * @return the status
	 * @throws SystemCallException if this file is closed (EBADF)
	 */
	public FileStatus status() throws SystemCallException {
		return EntryCalls.status(this.linux, EntryCalls.requireOpen(this.descriptor, SystemCall.STATX));
	}

	/**
	 * Reads bytes.
	 * @param target receives them at its position and advances it
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
			int count = (int) this.linux.callWaiting(SystemCall.PREAD64,
					EntryCalls.requireOpen(this.descriptor, SystemCall.PREAD64), this.linux.calls().address(memory),
					Math.min(memory.capacity(), target.remaining()), position, 0);
			target.put(memory.limit(count));
			return (count == 0) ? -1 : count;
		}
		finally {
			this.linux.scratch().give(memory);
		}
	}

	@Override
	public void close() {
		int open = this.descriptor;
		this.descriptor = -1;
		if (open >= 0) {
			this.linux.close(open);
		}
	}

}
