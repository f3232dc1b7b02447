package io.kairo.workspace.search;

import java.util.List;

/**
 * The files that a glob is for. Immutable.
 *
 * @param files the slice that was asked for, newest first, files of one time by their
 * path
 * @param total how many there are, in the slice and outside
 * @param skipped what was not looked into
 * @param end {@link SearchEnd#EVERYTHING}, unless the search had to end before that
 * @since 0.1.0
 */
public record GlobReport(List<FoundFile> files, long total, Skipped skipped, SearchEnd end) {

	/**
	 * Creates the value.
	 * @param files the slice that was asked for
	 * @param total how many there are
	 * @param skipped what was not looked into
	 * @param end why the search ended
	 */
	public GlobReport {
		files = List.copyOf(files);
	}

}
