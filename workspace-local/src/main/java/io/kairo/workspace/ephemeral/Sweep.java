package io.kairo.workspace.ephemeral;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.System.Logger.Level;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.workspace.local.ProcessIdentity;
import io.kairo.workspace.local.disk.tree.OwnedTree;

/**
 * Removes what processes left that have ended: directories whose {@link Claim} nobody
 * holds. What has another name is nobody's, and stays.
 */
final class Sweep {

	private static final System.Logger logger = System.getLogger(Sweep.class.getName());

	private static final Pattern NAME = Pattern.compile("((\\d+-\\d+-)[0-9a-f-]{36})(\\..+)");

	private final Path directory;

	private final ProcessIdentity process;

	Sweep(Path directory, ProcessIdentity process) {
		this.directory = directory;
		this.process = process;
	}

	/**
	 * Removes as much as possible. What cannot be removed now is tried the next time.
	 */
	void run() {
		Set<String> owners = new LinkedHashSet<>();
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(this.directory)) {
			for (Path entry : entries) {
				Matcher matcher = NAME.matcher(entry.getFileName().toString());
				// To close a file of this very process would release its lock.
				if (matcher.matches() && !matcher.group(2).equals(this.process.text())) {
					owners.add(matcher.group(1));
				}
			}
		}
		catch (NoSuchFileException ex) {
			// Nothing was ever made.
		}
		catch (IOException | DirectoryIteratorException ex) {
			logger.log(Level.WARNING, "Cannot look for ephemeral workspaces that were left behind", ex);
		}
		owners.forEach(this::sweep);
	}

	private void sweep(String owner) {
		Path claim = this.directory.resolve(owner + Claim.SUFFIX);
		try {
			if (!Files.exists(claim)) {
				sweepUnclaimed(owner);
				return;
			}
			try (RandomAccessFile file = new RandomAccessFile(claim.toFile(), "rw");
					FileLock lock = file.getChannel().tryLock()) {
				if (lock != null && Files.exists(claim)) {
					removeAll(owner);
					Files.delete(claim);
				}
			}
		}
		catch (OverlappingFileLockException ex) {
			// Another thread is at it.
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Cannot remove an ephemeral workspace that was left behind", ex);
		}
	}

	/**
	 * Removes directories whose claim is gone, unless their process may be there: that
	 * claim was taken away by somebody else.
	 */
	private void sweepUnclaimed(String owner) throws IOException {
		Matcher matcher = NAME.matcher(owner + Claim.SUFFIX);
		if (matcher.matches() && !new ProcessIdentity(matcher.group(2)).isRunning()) {
			removeAll(owner);
		}
	}

	private void removeAll(String owner) throws IOException {
		try (DirectoryStream<Path> left = Files.newDirectoryStream(this.directory,
				(entry) -> entry.getFileName().toString().startsWith(owner + ".")
						&& !entry.getFileName().toString().endsWith(Claim.SUFFIX))) {
			for (Path directory : left) {
				new OwnedTree(directory).remove();
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
	}

}
