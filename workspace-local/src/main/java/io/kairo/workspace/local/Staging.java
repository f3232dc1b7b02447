package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Where directories and links are made before they are moved to their place. They can
 * only be made by path, and the only path to be trusted is that of the directory where
 * the descent started: nobody in the workspace can swap what is above it.
 */
final class Staging {

	private final Transaction transaction;

	private final DirectoryOpener opener;

	/** One name for each such directory, used again and again. */
	private final Map<Path, Spot> spots = new HashMap<>();

	Staging(Transaction transaction, DirectoryOpener opener) {
		this.transaction = transaction;
		this.opener = opener;
	}

	/**
	 * Makes a directory that is meant for another one.
	 */
	Spot directory(OpenDirectory parent) throws IOException {
		Spot staged = spot(parent);
		this.transaction.step("mkdir");
		Files.createDirectory(trusted(staged));
		return staged;
	}

	/**
	 * Makes a link that is meant for a directory.
	 */
	Spot link(OpenDirectory parent, Path text) throws IOException {
		Spot staged = spot(parent);
		this.transaction.step("link");
		Files.createSymbolicLink(trusted(staged), text);
		return staged;
	}

	/**
	 * Moves what was made to its place.
	 */
	void place(Spot staged, Spot spot) throws IOException {
		this.transaction.step("mkdir-rename");
		staged.moveTo(spot);
		spot.directory().force();
	}

	private Spot spot(OpenDirectory parent) throws IOException {
		// Where the whole file system is allowed, there is nothing to be confined.
		Path area = (parent.base().getParent() == null) ? parent.path() : parent.base();
		Spot spot = this.spots.get(area);
		if (spot == null) {
			spot = this.transaction.temporary(this.transaction.own(this.opener.open(area)));
			this.spots.put(area, spot);
		}
		return spot;
	}

	private static Path trusted(Spot staged) throws IOException {
		Path area = staged.directory().path();
		if (!area.toRealPath().equals(area)) {
			throw new RacedException();
		}
		return area.resolve(staged.name());
	}

}
