package io.kairo.sandbox.support.copy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

import io.kairo.api.workspace.FileType;
import io.kairo.host.Sha256;

/**
 * A file, directory or link. Immutable.
 *
 * @param type its type; an entry of another type than file, directory or link is not
 * copied
 * @param mode its permissions
 * @param uid its owner
 * @param gid its group
 * @param size its size in bytes
 * @param modified the time of the last change of its content
 * @param changed the time of any last change
 * @param number its number in the file system
 * @param content the hash of a file once it was read, the target of a link; empty for
 * others
 */
public record CopiedEntry(FileType type, int mode, int uid, int gid, long size, FileTime modified, FileTime changed,
		long number, byte[] content) {

	/** Permissions to list and enter a directory, for everyone. */
	static final int READ_AND_ENTER = 0555;

	private static final byte[] NONE = {};

	/** An entry of a copy that is not copied back. */
	public static final CopiedEntry OTHER = received(FileType.OTHER, 0, FileTime.fromMillis(0), NONE);

	private static final int OWNER_READ = 0400;

	private static final int PERMISSIONS = 0777;

	private static final int OWNER_SHIFT = 6;

	/**
	 * Copies as many bytes as a file had: it may become longer or shorter meanwhile.
	 * @param file the path of the file; a link is not followed
	 * @param size the number of bytes
	 * @param target receives them
	 * @return their SHA-256
	 * @throws EOFException if the file is shorter
	 * @throws IOException if it cannot be read, or the target fails
	 */
	public static byte[] copy(Path file, long size, OutputStream target) throws IOException {
		MessageDigest digest = Sha256.digest();
		byte[] buffer = new byte[1 << 16];
		try (InputStream content = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
			long left = size;
			while (left > 0) {
				int count = content.readNBytes(buffer, 0, (int) Math.min(left, buffer.length));
				if (count == 0) {
					throw new EOFException(file.getFileName() + " was changed while it was copied");
				}
				target.write(buffer, 0, count);
				digest.update(buffer, 0, count);
				left -= count;
			}
		}
		return digest.digest();
	}

	/**
	 * Examines a file, directory or link.
	 * @param path its path; a link is not followed
	 * @return the entry, without the hash of a file
	 * @throws IOException if it does not exist or cannot be examined
	 */
	public static CopiedEntry of(Path path) throws IOException {
		Map<String, Object> found = Files.readAttributes(path,
				"unix:mode,uid,gid,size,lastModifiedTime,ctime,ino,isDirectory,isRegularFile,isSymbolicLink",
				LinkOption.NOFOLLOW_LINKS);
		FileType type = is(found, "isDirectory") ? FileType.DIRECTORY : is(found, "isRegularFile") ? FileType.FILE
				: is(found, "isSymbolicLink") ? FileType.LINK : FileType.OTHER;
		byte[] content = (type == FileType.LINK)
				? Files.readSymbolicLink(path).toString().getBytes(StandardCharsets.UTF_8) : NONE;
		return new CopiedEntry(type, number(found, "mode").intValue() & PERMISSIONS, number(found, "uid").intValue(),
				number(found, "gid").intValue(), number(found, "size").longValue(),
				(FileTime) found.getOrDefault("lastModifiedTime", FileTime.fromMillis(0)),
				(FileTime) found.getOrDefault("ctime", FileTime.fromMillis(0)), number(found, "ino").longValue(),
				content);
	}

	/**
	 * Creates an entry that comes from elsewhere.
	 * @param type its type
	 * @param mode its permissions; those beyond {@code rwxrwxrwx} are left out
	 * @param modified the time of the last change of its content
	 * @param content the hash of a file, the target of a link; empty for others
	 * @return the entry
	 */
	public static CopiedEntry received(FileType type, int mode, FileTime modified, byte[] content) {
		return new CopiedEntry(type, mode & PERMISSIONS, 0, 0, 0, modified, modified, 0, content);
	}

	/**
	 * Returns the permissions of a mode.
	 * @param mode the mode as of {@code chmod}; bits beyond {@code rwxrwxrwx} are left
	 * out
	 * @return the permissions
	 */
	public static Set<PosixFilePermission> permissions(int mode) {
		PosixFilePermission[] all = PosixFilePermission.values();
		Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
		for (int i = 0; i < all.length; i++) {
			if ((mode & OWNER_READ >> i) != 0) {
				permissions.add(all[i]);
			}
		}
		return permissions;
	}

	private static boolean is(Map<String, Object> attributes, String name) {
		return Boolean.TRUE.equals(attributes.get(name));
	}

	private static Number number(Map<String, Object> attributes, String name) {
		return (Number) attributes.getOrDefault(name, 0);
	}

	/**
	 * Returns this entry with a hash.
	 * @param hash the hash of its content
	 * @return the entry
	 */
	public CopiedEntry withContent(byte[] hash) {
		return new CopiedEntry(this.type, this.mode, this.uid, this.gid, this.size, this.modified, this.changed,
				this.number, hash);
	}

	/**
	 * Returns an empty directory that everyone may list.
	 */
	CopiedEntry withoutContent() {
		return new CopiedEntry(FileType.DIRECTORY, READ_AND_ENTER, 0, 0, 0, this.modified, this.changed, this.number,
				NONE);
	}

	/**
	 * Returns this entry as owned by root, with the read permissions of its owner for
	 * everyone.
	 */
	CopiedEntry sealed() {
		int owner = (this.mode & READ_AND_ENTER) >> OWNER_SHIFT;
		return new CopiedEntry(this.type, owner << OWNER_SHIFT | owner << (OWNER_SHIFT / 2) | owner, 0, 0, this.size,
				this.modified, this.changed, this.number, this.content);
	}

	/**
	 * Returns whether nothing was changed in between. An addition to a directory or a
	 * removal from it is no change of the directory, although its size changes on some
	 * file systems.
	 * @param now the entry at the same path at a later time
	 * @return whether it is the same
	 */
	public boolean isSame(CopiedEntry now) {
		return this.type == now.type && this.number == now.number
				&& (this.type == FileType.DIRECTORY || (this.size == now.size && this.changed.equals(now.changed)));
	}

}
