package io.kairo.sandbox.support.copy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * A file, directory or link. Immutable.
 *
 * @param type its type
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
public record CopiedEntry(Type type, int mode, int uid, int gid, long size, FileTime modified, FileTime changed,
		long number, byte[] content) {

	/** Permissions to list and enter a directory, for everyone. */
	static final int READ_AND_ENTER = 0555;

	private static final byte[] NONE = {};

	private static final int OWNER_READ = 0400;

	private static final int PERMISSIONS = 0777;

	private static final int OWNER_SHIFT = 6;

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
		Type type = is(found, "isDirectory") ? Type.DIRECTORY
				: is(found, "isRegularFile") ? Type.FILE : is(found, "isSymbolicLink") ? Type.LINK : Type.OTHER;
		byte[] content = (type == Type.LINK) ? Files.readSymbolicLink(path).toString().getBytes(StandardCharsets.UTF_8)
				: NONE;
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
	public static CopiedEntry received(Type type, int mode, FileTime modified, byte[] content) {
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
		return new CopiedEntry(Type.DIRECTORY, READ_AND_ENTER, 0, 0, 0, this.modified, this.changed, this.number, NONE);
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
				&& (this.type == Type.DIRECTORY || (this.size == now.size && this.changed.equals(now.changed)));
	}

	/**
	 * The type of an entry.
	 */
	public enum Type {

		/** A file. */
		FILE,

		/** A directory. */
		DIRECTORY,

		/** A symbolic link. */
		LINK,

		/** Anything else. It is not copied. */
		OTHER

	}

}
