package io.kairo.workspace.search;

import java.util.List;

/**
 * The files that match a glob. Immutable.
 *
 * @param files the requested slice, newest first, files of the same time by path
 * @param total the number of matching files, inside and outside the slice
 * @param skipped the number of entries that were skipped
 * @param end the reason why the search ended, {@link SearchEnd#EVERYTHING} if it was
 * complete
 */
public record GlobReport(List<FoundFile> files, long total, Skipped skipped, SearchEnd end) {

	/**
	 * Creates the value.
	 */
	public GlobReport {
		files = List.copyOf(files);
	}

}
