package io.kairo.linux;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A directory that is open for reading. Entries are opened in this directory even if its
 * path meanwhile denotes another one. No link is followed, and no call waits for a FIFO
 * or the lease of another process. Safe for use by several threads, one of them
 * {@linkplain #next() listing} at a time, until the last one to use it closes it.
 */
public final class DirectoryHandle implements Closeable {

	/**
	 * The value for aarch64 is taken from {@code asm/fcntl.h} of the kernel, and has not
	 * been run.
	 */
	private static final int O_DIRECTORY = (Processor.ofThisMachine() == Processor.AARCH64) ? 040000 : 0200000;

	/** The offsets in {@code struct linux_dirent64}, the same on both processors. */
	private static final int LENGTH = 16;

	private static final int TYPE = 18;

	private static final int NAME = 19;

	private final NativeLinux linux;

	/** Negative before this directory is open, and once it is closed. */
	private final AtomicInteger descriptor = new AtomicInteger(-1);

	private DirectoryHandle(NativeLinux linux) {
		this.linux = linux;
	}

	/**
	 * Opens a directory.
	 * @param linux the system calls
	 * @param path the absolute path; no link in it is followed
	 * @return the open directory, to be closed by the caller
	 * @throws SystemCallException if there is a link on the way, or it is no directory,
	 * or cannot be opened
	 */
	public static DirectoryHandle open(NativeLinux linux, Path path) throws SystemCallException {
		return open(linux, EntryCalls.AT_FDCWD, path.toString());
	}

	private static DirectoryHandle open(NativeLinux linux, int above, String path) throws SystemCallException {
		DirectoryHandle opened = new DirectoryHandle(linux);
		opened.descriptor.set(EntryCalls.open(linux, above, path, O_DIRECTORY));
		return opened;
	}

	/**
	 * Opens a directory in this one.
	 * @param name its name
	 * @return the open directory, to be closed by the caller
	 * @throws SystemCallException if it is no directory, cannot be opened, or this one is
	 * closed (EBADF)
	 */
	public DirectoryHandle directory(String name) throws SystemCallException {
		return open(this.linux, descriptor(SystemCall.OPENAT2), name);
	}

	/**
	 * Opens an entry of any type but a socket for reading.
	 * @param name its name
	 * @return the open file, to be closed by the caller
	 * @throws SystemCallException if it is a link, another process holds a lease
	 * (EAGAIN), it cannot be opened, or this directory is closed (EBADF)
	 */
	public OpenFile file(String name) throws SystemCallException {
		return OpenFile.open(this.linux, descriptor(SystemCall.OPENAT2), name);
	}

	/**
	 * Returns the status of an entry.
	 * @param name its name; a link is not followed
	 * @return the status
	 * @throws SystemCallException if there is no such entry (ENOENT), or this directory
	 * is closed (EBADF)
	 */
	public FileStatus status(String name) throws SystemCallException {
		return EntryCalls.status(this.linux, descriptor(SystemCall.STATX), name);
	}

	/**
	 * Returns the status of this directory.
	 * @return the status
	 * @throws SystemCallException if this directory is closed (EBADF)
	 */
	public FileStatus status() throws SystemCallException {
		return EntryCalls.status(this.linux, descriptor(SystemCall.STATX));
	}

	/**
	 * Returns a path of an entry of this directory for this process, valid as long as
	 * this directory is open.
	 * @param name the name of the entry
	 * @return a path below {@code /proc}
	 * @throws SystemCallException if this directory is closed (EBADF)
	 */
	public Path path(String name) throws SystemCallException {
		return Path.of("/proc/self/fd/" + descriptor(SystemCall.OPENAT2), name);
	}

	/**
	 * Reads the next entries, in no order, without the entries for this directory and the
	 * directory above.
	 * @return some of the entries; none at the end
	 * @throws SystemCallException if this directory cannot be read, or is closed (EBADF)
	 */
	public List<DirectoryEntry> next() throws SystemCallException {
		List<DirectoryEntry> entries = new ArrayList<>();
		ByteBuffer memory = this.linux.scratch().take();
		try {
			int count = read(memory);
			while (count > 0 && add(memory, count, entries)) {
				count = read(memory);
			}
			return entries;
		}
		finally {
			this.linux.scratch().give(memory);
		}
	}

	private int read(ByteBuffer memory) throws SystemCallException {
		try {
			return (int) this.linux.callWaiting(SystemCall.GETDENTS64, descriptor(SystemCall.GETDENTS64),
					this.linux.calls().address(memory), memory.capacity(), 0, 0);
		}
		catch (SystemCallException ex) {
			if (ex.error() == SystemCallException.ENOENT) {
				return 0; // it was removed meanwhile
			}
			throw ex;
		}
	}

	/**
	 * Adds the entries that were read.
	 * @return whether there were none
	 */
	private static boolean add(ByteBuffer memory, int count, List<DirectoryEntry> entries) {
		byte[] bytes = new byte[count];
		memory.get(0, bytes);
		for (int at = 0; at < count; at += Short.toUnsignedInt(memory.getShort(at + LENGTH))) {
			int end = at + NAME;
			boolean plain = true;
			while (bytes[end] != 0) {
				plain &= bytes[end] > 0;
				end++;
			}
			if (!isDots(bytes, at + NAME, end)) {
				DirectoryEntry.Type type = DirectoryEntry.type(bytes[at + TYPE]);
				entries.add(plain
						? new DirectoryEntry(new String(bytes, at + NAME, end - at - NAME, StandardCharsets.ISO_8859_1),
								true, type)
						: entry(Arrays.copyOfRange(bytes, at + NAME, end), type));
			}
		}
		return entries.isEmpty();
	}

	private static boolean isDots(byte[] bytes, int from, int to) {
		return to - from <= 2 && bytes[from] == '.' && bytes[to - 1] == '.';
	}

	private static DirectoryEntry entry(byte[] bytes, DirectoryEntry.Type type) {
		String name = new String(bytes, NativeLinux.PATHS);
		return new DirectoryEntry(name, Arrays.equals(name.getBytes(NativeLinux.PATHS), bytes), type);
	}

	private int descriptor(SystemCall call) throws SystemCallException {
		return EntryCalls.requireOpen(this.descriptor.get(), call);
	}

	@Override
	public void close() {
		int open = this.descriptor.getAndSet(-1);
		if (open >= 0) {
			this.linux.close(open);
		}
	}

}
