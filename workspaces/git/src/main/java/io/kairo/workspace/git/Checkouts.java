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
 * The directories of the checkouts of one provider. Other providers and processes have
 * theirs in the same parent directory, and it contains nothing but checkouts.
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
	 * Creates the directory of a checkout. The two directories in it do not exist yet;
	 * the files' directory is named after the remote if possible.
	 */
	Checkout create(RemoteUrl url) throws IOException {
		long number = this.numbers.incrementAndGet();
		String name = url.name().replaceAll("[^A-Za-z0-9._-]", "_");
		boolean usual = !name.isEmpty() && !name.startsWith(".") && !name.equals("git") && name.length() <= 100;
		Path directory = OwnerOnly.createDirectory(this.directories.newPath(Long.toString(number)));
		return new Checkout(number, directory, directory.resolve("git"), directory.resolve(usual ? name : "checkout"));
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

	/**
	 * The directories of a checkout.
	 *
	 * @param number the number of the checkout, unique within the provider
	 * @param directory the directory of the checkout, containing the other two
	 * @param gitDirectory the repository of the provider
	 * @param tree the files; they belong to the agent
	 */
	record Checkout(long number, Path directory, Path gitDirectory, Path tree) {
	}

}
