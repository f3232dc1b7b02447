package io.kairo.api.workspace;

import java.util.List;

/**
 * The entries of a directory. Immutable.
 *
 * @param directory which directory
 * @param entries the entries in the order of their paths, without links being followed
 * @param omitted how many entries are there and not in the list, because the list was
 * full or because their names cannot be a {@link WorkspacePath}
 * @since 0.1.0
 */
public record FileListing(WorkspacePath directory, List<FileInfo> entries, long omitted) {

	/**
	 * Creates the value.
	 * @param directory which directory
	 * @param entries the entries in the order of their paths
	 * @param omitted how many entries are there and not in the list
	 */
	public FileListing {
		entries = List.copyOf(entries);
	}

	/**
	 * Returns whether every entry is in the list.
	 * @return true if nothing was omitted
	 */
	public boolean complete() {
		return this.omitted == 0;
	}

}
