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
 * Removes stores that nobody has used for long. Whoever needs one marks it while he has
 * it for himself, and makes his checkout within far less time than that; so a store that
 * is not marked, and that no checkout of any process names, is nobody's.
 *
 * @param stores where they are
 * @param checkouts where the checkouts of all processes are
 * @param idle for how long nobody has used one; zero keeps all of them
 */
record StoreSweep(Path stores, Path checkouts, Duration idle) {

	private static final Logger logger = System.getLogger(StoreSweep.class.getName());

	/**
	 * Removes what can be removed. The rest is left for the next time.
	 * @param open finds a store by where it is
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
				logger.log(Level.WARNING, "A store that nobody has used for long could not be removed", ex);
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
				if (CheckoutFiles.alternates(checkout.resolve("git")).contains(objects)) {
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
