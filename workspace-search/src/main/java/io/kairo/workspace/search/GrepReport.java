package io.kairo.workspace.search;

import java.util.List;

/**
 * What was found by its text. Immutable.
 *
 * @param files the slice that was asked for, in the order of their paths
 * @param results how many results are in the slice
 * @param searched how many files were looked into
 * @param skipped what was not looked into; of no use after {@link SearchEnd#LIMIT}, since
 * what was met then depends on chance
 * @param end {@link SearchEnd#EVERYTHING} if there are no results after the slice
 * @since 0.1.0
 */
public record GrepReport(List<FileMatches> files, long results, long searched, Skipped skipped, SearchEnd end) {

	/**
	 * Creates the value.
	 * @param files the slice that was asked for
	 * @param results how many results are in it
	 * @param searched how many files were looked into
	 * @param skipped what was not looked into
	 * @param end why the search ended
	 */
	public GrepReport {
		files = List.copyOf(files);
	}

}
