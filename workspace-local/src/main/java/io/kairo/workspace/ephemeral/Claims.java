package io.kairo.workspace.ephemeral;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.workspace.local.ProcessIdentity;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import org.jspecify.annotations.Nullable;

/**
 * The claim of one provider, made with its first directory. Safe for use by several
 * threads.
 */
final class Claims {

	private final Path directory;

	private final ProcessIdentity process;

	private @Nullable Claim claim;

	private long swept;

	private boolean everSwept;

	Claims(Path directory, ProcessIdentity process) {
		this.directory = directory;
		this.process = process;
	}

	/**
	 * Returns a tree that is claimed before it is there.
	 * @throws WorkspaceException if it cannot be claimed
	 */
	synchronized OwnedTree newTree(String id) {
		try {
			Claim current = this.claim;
			if (current == null || !current.holds()) {
				create(this.directory);
				current = Claim.make(this.directory, this.process);
				this.claim = current;
			}
			return new OwnedTree(current.newDirectory(id));
		}
		catch (IOException ex) {
			throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED,
					"No ephemeral workspace can be made in the directory that is configured for them: let the "
							+ "operator see whether it may be written to and has space",
					ex);
		}
	}

	private static void create(Path directory) throws IOException {
		if (!Files.isDirectory(directory)) {
			boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
			Files.createDirectories(directory,
					posix ? new FileAttribute<?>[] {
							PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")) }
							: new FileAttribute<?>[0]);
		}
	}

	/**
	 * Returns whether the last sweep is older than that, and counts the one that follows.
	 */
	synchronized boolean sweepIsDue(Duration age) {
		long now = System.nanoTime();
		if (this.everSwept && now - this.swept < age.toNanos()) {
			return false;
		}
		this.everSwept = true;
		this.swept = now;
		return true;
	}

	synchronized void end(boolean nothingLeft) throws IOException {
		Claim current = this.claim;
		this.claim = null;
		if (current != null) {
			current.end(nothingLeft);
		}
	}

}
