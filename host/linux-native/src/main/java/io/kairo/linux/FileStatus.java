package io.kairo.linux;

import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * The status of a file of any type, as of statx(2). Immutable.
 *
 * @param mode its type and permissions
 * @param uid the id of the user that owns it
 * @param gid the id of its group
 * @param size its size in bytes
 * @param device the number of its device, as in {@code st_dev} of the C library
 * @param inode its number on the device
 * @param accessed the time of the last access
 * @param modified the time of the last change of its content
 * @param changed the time of the last change of its content or attributes
 * @param created the time of its creation, or of the last change where that is unknown
 */
public record FileStatus(int mode, int uid, int gid, long size, long device, long inode, Instant accessed,
		Instant modified, Instant changed, Instant created) {

	/** Size of the structure that the kernel fills. */
	static final int BYTES = 256;

	/** The fields of stat(2) and the time of creation. */
	static final int WANTED = 0xfff;

	private static final int CREATED = 0x800;

	private static final int TYPE = 0170000;

	private static final int REGULAR = 0100000;

	private static final int DIRECTORY = 0040000;

	private static final int LINK = 0120000;

	static FileStatus of(ByteBuffer statx, int at) {
		Instant modified = time(statx, at + 112);
		return new FileStatus(statx.getShort(at + 28) & 0xffff, statx.getInt(at + 20), statx.getInt(at + 24),
				statx.getLong(at + 40), device(statx.getInt(at + 136), statx.getInt(at + 140)), statx.getLong(at + 32),
				time(statx, at + 64), modified, time(statx, at + 96),
				((statx.getInt(at) & CREATED) != 0) ? time(statx, at + 80) : modified);
	}

	private static Instant time(ByteBuffer statx, int at) {
		return Instant.ofEpochSecond(statx.getLong(at), statx.getInt(at + 8));
	}

	private static long device(long major, long minor) {
		return (major & 0xfffff000L) << 32 | (major & 0xfff) << 8 | (minor & 0xffffff00L) << 12 | (minor & 0xff);
	}

	/**
	 * Returns whether it is a regular file.
	 * @return whether it is one
	 */
	public boolean isRegularFile() {
		return (this.mode & TYPE) == REGULAR;
	}

	/**
	 * Returns whether it is a directory.
	 * @return whether it is one
	 */
	public boolean isDirectory() {
		return (this.mode & TYPE) == DIRECTORY;
	}

	/**
	 * Returns whether it is a symbolic link.
	 * @return whether it is one
	 */
	public boolean isLink() {
		return (this.mode & TYPE) == LINK;
	}

}
