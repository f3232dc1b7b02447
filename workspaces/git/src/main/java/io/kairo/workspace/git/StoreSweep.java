package io.kairo.workspace.git;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Removes idle stores. A provider records its use of a store while it has the lock, and
 * creates its checkout in far less than the idle time. A store without a recent use that
 * no checkout of any process borrows from is therefore not in use.
 *
 * @param stores the directory of the stores
 * @param checkouts the directory of the checkouts of all processes
 * @param idle time without use before a store is removed; zero keeps all stores
 */
record StoreSweep(Path stores, Path checkouts, Duration idle) {

	private static final Logger logger = System.getLogger(StoreSweep.class.getName());

	/**
	 * Removes the idle stores. Failures are logged; the next sweep tries again.
	 * @param open returns the store in a directory
	 */
	void run(Function<Path, RemoteStore> open) throws IOException {
		if (this.idle.isZero()) {
			return;
		}
		for (Path store : idleStores()) {
			try {
				open.apply(store).removeIfIdle(this.idle, this::isBorrowed);
			}
			catch (IOException | UncheckedIOException ex) {
				logger.log(Level.WARNING, "A store that was not used for a long time could not be removed", ex);
			}
		}
	}

	private List<Path> idleStores() throws IOException {
		List<Path> found = new ArrayList<>();
		try (DirectoryStream<Path> all = Files.newDirectoryStream(this.stores, "*.git")) {
			for (Path store : all) {
				if (StoreFiles.isIdle(store, this.idle)) {
					found.add(store);
				}
			}
		}
		return found;
	}

	private boolean isBorrowed(Path store) {
		String objects = store.resolve("objects").toString();
		try (DirectoryStream<Path> all = Files.newDirectoryStream(this.checkouts, Files::isDirectory)) {
			for (Path checkout : all) {
				if (CheckoutRepositories.alternates(checkout.resolve("git")).contains(objects)) {
					return true;
				}
			}
			return false;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
