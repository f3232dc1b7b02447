package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

import io.kairo.host.MountPoint;
import io.kairo.workspace.local.disk.handle.ListedDirectory;
import io.kairo.workspace.local.disk.handle.ListedEntry;
import io.kairo.workspace.local.disk.handle.OpenDirectory;

/**
 * Recognises the mount points of running commands. Readers of a workspace do not see
 * them. A directory with the mark that is not empty is an ordinary one.
 */
final class MountPoints {

	private MountPoints() {
	}

	/**
	 * Returns whether an entry is a mount point.
	 * @param directory the directory of the entry; it is not consumed
	 * @param name the name of the entry
	 * @param attributes the attributes of the entry
	 * @return false also for a mount point that cannot be opened
	 */
	static boolean is(OpenDirectory directory, Path name, BasicFileAttributes attributes) {
		if (!MountPoint.isMarked(attributes)) {
			return false;
		}
		try (OpenDirectory opened = directory.directory(name)) {
			return !opened.names().hasNext();
		}
		catch (IOException | DirectoryIteratorException ex) {
			return false;
		}
	}

	/**
	 * Returns whether an entry is a mount point.
	 * @param entry the entry
	 * @return false also for a mount point that cannot be opened
	 * @throws IOException if its attributes cannot be read
	 */
	static boolean is(ListedEntry entry) throws IOException {
		if (!MountPoint.isMarked(entry.attributes())) {
			return false;
		}
		try (ListedDirectory opened = entry.directory()) {
			return !opened.entries().hasNext();
		}
		catch (IOException | DirectoryIteratorException ex) {
			return false;
		}
	}

}
