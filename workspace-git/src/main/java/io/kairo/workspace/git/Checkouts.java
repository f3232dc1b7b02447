package io.kairo.workspace.git;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.kairo.workspace.local.disk.tree.OwnedTree;

/**
 * The directories of the checkouts of one provider, beside those of others. What a dead
 * process left is removed, and nothing else.
 */
final class Checkouts implements AutoCloseable {

	private static final Logger logger = System.getLogger(Checkouts.class.getName());

	private final Path directory;

	private final CheckoutClaim claim;

	private final AtomicLong numbers = new AtomicLong();

	Checkouts(Path directory) throws IOException {
		this.directory = OwnedDirectory.create(directory);
		this.claim = CheckoutClaim.make(this.directory);
	}

	/**
	 * Returns a number that no other checkout of this provider has.
	 */
	long nextNumber() {
		return this.numbers.incrementAndGet();
	}

	/**
	 * Makes the directory of a checkout.
	 */
	Path create(long number) throws IOException {
		return OwnedDirectory.create(this.directory.resolve(this.claim.name() + "-" + number));
	}

	/**
	 * Removes the checkouts of the dead. One that cannot be removed is left for the next
	 * time.
	 */
	void sweep() throws IOException {
		// first the checkouts: whoever makes one has had a claim since before
		List<Path> present = entries((name) -> !name.endsWith(CheckoutClaim.SUFFIX));
		List<Path> claims = entries((name) -> name.endsWith(CheckoutClaim.SUFFIX));
		for (Path file : claims) {
			try (CheckoutClaim dead = CheckoutClaim.takeOver(file)) {
				if (dead != null) {
					remove(entries((name) -> name.startsWith(dead.name() + "-")));
				}
			}
			catch (NoSuchFileException ex) {
				// It has just been given up.
			}
		}
		remove(present.stream().filter((checkout) -> !isClaimed(checkout, claims)).toList());
	}

	private static boolean isClaimed(Path checkout, List<Path> claims) {
		String name = checkout.getFileName().toString();
		return claims.stream()
			.map((claim) -> claim.getFileName().toString().replace(CheckoutClaim.SUFFIX, "-"))
			.anyMatch(name::startsWith);
	}

	private List<Path> entries(Predicate<String> names) throws IOException {
		try (Stream<Path> entries = Files.list(this.directory)) {
			return entries.filter((path) -> names.test(path.getFileName().toString())).toList();
		}
	}

	private static void remove(List<Path> checkouts) {
		for (Path checkout : checkouts) {
			try {
				new OwnedTree(checkout).remove();
			}
			catch (IOException ex) {
				logger.log(Level.WARNING, "A checkout that a dead process left could not be removed", ex);
			}
		}
	}

	@Override
	public void close() throws IOException {
		this.claim.close();
	}

}
