package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;

import io.kairo.host.OwnerOnly;
import io.kairo.host.PrivateDirectory;
import io.kairo.host.TreeDeletion;
import io.kairo.sandbox.support.thread.DaemonThreads;

/**
 * The temporary files of one command: the directory that {@code TMPDIR} names, and a home
 * directory in it. All of it belongs to the command.
 *
 * @param directory the directory
 */
record CommandFiles(Path directory) implements AutoCloseable {

	private static final Logger logger = System.getLogger(CommandFiles.class.getName());

	private static final Set<PosixFilePermission> PERMISSIONS = PosixFilePermissions.fromString("rwx------");

	/**
	 * Creates the files.
	 */
	static CommandFiles create(PrivateDirectory parent) throws IOException {
		// its rule needs a path without links
		Path directory = parent.path().toRealPath().resolve(parent.newPath("command").getFileName());
		Files.createDirectory(directory, OwnerOnly.directory(directory));
		CommandFiles files = new CommandFiles(directory);
		for (Path part : new Path[] { files.temporary(), files.home() }) {
			Files.createDirectory(part, OwnerOnly.directory(part));
		}
		return files;
	}

	Path temporary() {
		return this.directory.resolve("tmp");
	}

	Path home() {
		return this.directory.resolve("home");
	}

	/**
	 * Returns the path of the file for the last working directory of the shell.
	 */
	Path report() {
		return this.directory.resolve("directory");
	}

	/**
	 * Returns whether the files are as they were created. To be called when no process
	 * uses them any more.
	 */
	boolean isClean() {
		try {
			return isOwn(this.directory) && names(this.directory).equals(Set.of("tmp", "home")) && isEmpty(temporary())
					&& isEmpty(home());
		}
		catch (IOException | DirectoryIteratorException ex) {
			logger.log(Level.DEBUG, "The temporary files of a command cannot be examined", ex);
			return false;
		}
	}

	private static boolean isEmpty(Path directory) throws IOException {
		return isOwn(directory) && names(directory).isEmpty();
	}

	private static boolean isOwn(Path directory) throws IOException {
		PosixFileAttributes attributes = Files.readAttributes(directory, PosixFileAttributes.class,
				LinkOption.NOFOLLOW_LINKS);
		return attributes.isDirectory() && attributes.permissions().equals(PERMISSIONS);
	}

	private static Set<String> names(Path directory) throws IOException {
		Set<String> names = new HashSet<>();
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
			for (Iterator<Path> each = entries.iterator(); each.hasNext() && names.size() <= 2;) {
				names.add(each.next().getFileName().toString());
			}
		}
		return names;
	}

	/**
	 * Removes the files, on another thread if the command has left some.
	 */
	@Override
	public void close() {
		try {
			Files.deleteIfExists(report());
			Files.deleteIfExists(temporary());
			Files.deleteIfExists(home());
			Files.deleteIfExists(this.directory);
		}
		catch (DirectoryNotEmptyException ex) {
			DaemonThreads.startOrRun("kairo-remove", this::delete);
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The temporary files of a command could not be removed", ex);
		}
	}

	private void delete() {
		try {
			TreeDeletion.delete(this.directory);
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The temporary files of a command could not be removed", ex);
		}
	}

}
