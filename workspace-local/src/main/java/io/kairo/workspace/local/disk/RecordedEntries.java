package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;

/**
 * Opens the entries recorded in lines of a journal, without following links.
 *
 * @param opener opens the directories in which the paths begin
 */
record RecordedEntries(DirectoryOpener opener) {

	/**
	 * Opens the directory of an entry.
	 * @param line the line
	 * @param field index of the first field of the entry
	 * @return the entry, whose directory is to be closed by the caller
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
	 * Removes the entry of a line if it exists and has a temporary name.
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
