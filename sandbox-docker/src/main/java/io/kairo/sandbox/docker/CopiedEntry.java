package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;

/**
 * A file, directory or link.
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
record CopiedEntry(Type type, int mode, int uid, int gid, long size, FileTime modified, FileTime changed, long number,
		byte[] content) {

	/** Permissions to list and enter a directory, for everyone. */
	static final int READ_AND_ENTER = 0555;

	private static final byte[] NONE = {};

	private static final int PERMISSIONS = 0777;

	/**
	 * Examines a file, directory or link.
	 */
	static CopiedEntry of(Path path) throws IOException {
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

	private static boolean is(Map<String, Object> attributes, String name) {
		return Boolean.TRUE.equals(attributes.get(name));
	}

	private static Number number(Map<String, Object> attributes, String name) {
		return (Number) attributes.getOrDefault(name, 0);
	}

	CopiedEntry withContent(byte[] hash) {
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
	 * Returns whether nothing was changed in between. What was added to a directory or
	 * removed from it, which changes its size on some file systems, is no change of it.
	 */
	boolean isSame(CopiedEntry now) {
		return this.type == now.type && this.number == now.number
				&& (this.type == Type.DIRECTORY || (this.size == now.size && this.changed.equals(now.changed)));
	}

	/**
	 * The type of an entry.
	 */
	enum Type {

		FILE, DIRECTORY, LINK, OTHER

	}

}
