package io.kairo.workspace.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import io.kairo.workspace.disk.handle.DirectoryOpener;
import io.kairo.workspace.disk.handle.OpenDirectory;

/**
 * Goes back to the spots that lines of a journal are about, without following links.
 *
 * @param opener opens what the ways begin with
 */
record RecordedEntries(DirectoryOpener opener) {

	/**
	 * Goes to a spot.
	 * @param line the line
	 * @param field where in it the spot is
	 * @return the spot, in a directory that is to be closed
	 */
	EntryRef open(JournalRecord line, int field) throws IOException {
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
		return new EntryRef(current, path.getFileName());
	}

	/**
	 * Removes what a line gives a temporary name, if it is there.
	 */
	void remove(JournalRecord line) throws IOException {
		EntryRef ref = open(line, 0);
		try (OpenDirectory directory = ref.directory()) {
			if (TemporaryNames.is(ref.name())) {
				ref.remove();
			}
		}
	}

}
