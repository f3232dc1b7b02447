package io.kairo.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/**
 * An empty directory that is there only because a sandbox has mounted something on it for
 * a command. It is recognised by its modification time: the time changes as soon as an
 * entry is created in it, also by another process and after the end of the process that
 * created it.
 */
public final class MountPoint {

	/** A time of 1972 that no other directory has by accident. */
	private static final FileTime MARK = FileTime.from(75_318_642_123_457L, TimeUnit.MICROSECONDS);

	private MountPoint() {
	}

	/**
	 * Marks a new directory.
	 * @param directory an empty directory; a link is not followed
	 * @throws IOException if it cannot be marked
	 */
	public static void mark(Path directory) throws IOException {
		Files.getFileAttributeView(directory, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
			.setTimes(MARK, null, null);
	}

	/**
	 * Returns whether a directory has the mark. A command can set the mark too, so a
	 * caller that ignores the directory has to check that it is empty.
	 * @param attributes the attributes of an entry
	 * @return true for a marked directory
	 */
	public static boolean isMarked(BasicFileAttributes attributes) {
		return attributes.isDirectory() && attributes.lastModifiedTime().equals(MARK);
	}

	/**
	 * Returns whether a directory has the mark.
	 * @param directory a path; a link is not followed
	 * @return true for a marked directory
	 */
	public static boolean isMarked(Path directory) {
		try {
			return isMarked(Files.readAttributes(directory, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
		}
		catch (IOException ex) {
			return false;
		}
	}

}
