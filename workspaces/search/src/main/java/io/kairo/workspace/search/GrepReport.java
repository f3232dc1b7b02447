package io.kairo.workspace.search;

import java.util.List;

/**
 * The matches of a search for text. Immutable.
 *
 * @param files the requested slice, in the order of paths
 * @param results the number of results in the slice
 * @param searched the number of searched files
 * @param skipped the number of entries that were skipped; not meaningful after
 * {@link SearchEnd#LIMIT}, as it then depends on timing
 * @param end the reason why the search ended, {@link SearchEnd#EVERYTHING} if there are
 * no results after the slice
 */
public record GrepReport(List<FileMatches> files, long results, long searched, Skipped skipped, SearchEnd end) {

	/**
	 * Creates the value.
	 */
	public GrepReport {
		files = List.copyOf(files);
	}

}
