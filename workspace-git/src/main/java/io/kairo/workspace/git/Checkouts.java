package io.kairo.workspace.git;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.host.ClaimedDirectories;
import io.kairo.host.OwnerOnly;
import io.kairo.workspace.local.disk.tree.OwnedTree;

/**
 * The directories of the checkouts of one provider, beside those of other providers and
 * processes. Nothing but checkouts is in the directory that contains them.
 */
final class Checkouts implements AutoCloseable {

	private static final Logger logger = System.getLogger(Checkouts.class.getName());

	private final ClaimedDirectories directories;

	private final AtomicLong numbers = new AtomicLong();

	Checkouts(Path directory) throws IOException {
		this.directories = new ClaimedDirectories(directory);
		this.directories.claim();
	}

	/**
	 * Returns a number that no other checkout of this provider has.
	 */
	long nextNumber() {
		return this.numbers.incrementAndGet();
	}

	/**
	 * Creates the directory of a checkout.
	 */
	Path create(long number) throws IOException {
		return OwnerOnly.createDirectory(this.directories.newPath(Long.toString(number)));
	}

	/**
	 * Removes the checkouts of processes that have ended, and everything that does not
	 * belong to a claim. Failures are logged; the next sweep tries again.
	 */
	void sweep() throws IOException {
		List<Path> present = this.directories.list();
		this.directories.sweep((checkout) -> new OwnedTree(checkout).remove());
		for (Path checkout : present) {
			if (!this.directories.isClaimed(checkout)) {
				remove(checkout);
			}
		}
	}

	private static void remove(Path checkout) {
		try {
			new OwnedTree(checkout).remove();
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Cannot remove a checkout that a dead process left behind", ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.directories.close();
	}

}
