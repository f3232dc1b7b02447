package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;

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
	 * Returns the path of the file to which the shell writes its last working directory.
	 */
	Path report() {
		return this.directory.resolve("directory");
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
