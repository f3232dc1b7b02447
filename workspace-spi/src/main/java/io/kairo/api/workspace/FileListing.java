package io.kairo.api.workspace;

import java.util.List;

/**
 * The entries of a directory. Immutable.
 *
 * @param directory the directory, in the spelling that the paths of the entries begin
 * with
 * @param entries the entries in the order of their paths; links are not followed
 * @param omitted number of entries that are not in the list, as the list was full or
 * their names cannot be in a {@link WorkspacePath}
 */
public record FileListing(WorkspacePath directory, List<FileInfo> entries, long omitted) {

	/**
	 * Creates the value.
	 */
	public FileListing {
		entries = List.copyOf(entries);
	}

	/**
	 * Returns whether every entry is in the list.
	 * @return true if no entry was omitted
	 */
	public boolean complete() {
		return this.omitted == 0;
	}

}
