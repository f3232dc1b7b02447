package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Goes back to the spots that lines of a journal are about, without following links.
 *
 * @param opener opens what the ways begin with
 */
record RecordedSpots(DirectoryOpener opener) {

	/**
	 * Goes to a spot.
	 * @param line the line
	 * @param field where in it the spot is
	 * @return the spot, in a directory that is to be closed
	 */
	Spot open(JournalRecord line, int field) throws IOException {
		Path base = line.path(field);
		Path path = line.path(field + 1);
		if (!path.startsWith(base) || path.equals(base)) {
			throw new NoSuchFileException("base");
		}
		OpenDirectory current = this.opener.open(base);
		for (Path name : base.relativize(path.getParent())) {
			if (!name.toString().isEmpty()) {
				try (OpenDirectory above = current) {
					current = above.directory(name);
				}
			}
		}
		return new Spot(current, path.getFileName());
	}

	/**
	 * Removes what a line gives a temporary name, if it is there.
	 */
	void remove(JournalRecord line) throws IOException {
		Spot spot = open(line, 0);
		try (OpenDirectory directory = spot.directory()) {
			if (TemporaryNames.is(spot.name())) {
				TreeRemoval.remove(spot);
			}
		}
	}

}
