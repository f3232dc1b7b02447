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
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.kairo.host.OwnerOnly;
import io.kairo.host.PrivateDirectory;
import io.kairo.host.TreeDeletion;
import io.kairo.sandbox.support.SessionResource;
import io.kairo.sandbox.support.cache.CacheUse;
import io.kairo.sandbox.support.thread.DaemonThreads;

/**
 * The temporary files of one command, or of the commands of a session: the directory that
 * {@code TMPDIR} names, and a home directory.
 *
 * @param directory the directory that contains both
 * @param report the path of the file for the last working directory of the shell
 * @param shared whether both belong to a session, which removes them
 * @param caches the caches to which the home directory has links
 */
record TemporaryFiles(Path directory, Path report, boolean shared, CacheUse caches) implements SessionResource {

	private static final Logger logger = System.getLogger(TemporaryFiles.class.getName());

	private static final Set<PosixFilePermission> PERMISSIONS = PosixFilePermissions.fromString("rwx------");

	/**
	 * Creates the files.
	 * @param caches the caches to link to, closed with the files of a session
	 */
	static TemporaryFiles create(PrivateDirectory parent, CacheUse caches) throws IOException {
		// its rule needs a path without links
		Path directory = parent.path().toRealPath().resolve(parent.newPath("command").getFileName());
		Files.createDirectory(directory, OwnerOnly.directory(directory));
		TemporaryFiles files = new TemporaryFiles(directory, directory.resolve("directory"), false, caches);
		for (Path part : new Path[] { files.temporary(), files.home() }) {
			Files.createDirectory(part, OwnerOnly.directory(part));
		}
		for (Map.Entry<String, Path> cache : caches.directories().entrySet()) {
			Files.createSymbolicLink(files.home().resolve(cache.getKey()), cache.getValue());
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
	 * Returns these files of a session for some of its commands, one at a time.
	 */
	TemporaryFiles ofCommands() {
		return new TemporaryFiles(this.directory, this.directory.resolve("directory-" + UUID.randomUUID()), true,
				this.caches);
	}

	@Override
	public boolean isUsable() {
		return Files.isDirectory(temporary()) && Files.isDirectory(home()) && this.caches.isUsable();
	}

	/**
	 * Returns whether the files are as the next command has to find them. To be called
	 * when no process of the command uses them any more.
	 */
	boolean isClean() {
		if (this.shared) {
			return true;
		}
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
	 * Removes the files unless they are shared, on another thread if the command has left
	 * some.
	 */
	@Override
	public void close() {
		try {
			Files.deleteIfExists(this.report);
			if (this.shared) {
				return;
			}
			this.caches.close();
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
