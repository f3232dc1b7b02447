package io.kairo.workspace.search;

import java.util.List;

import io.kairo.api.workspace.WorkspacePath;

/**
 * What was found in a file. Immutable.
 *
 * @param path which file
 * @param count how many lines match, for {@link GrepOutput#COUNTS}; else how many of
 * {@code lines} do, and 1 for {@link GrepOutput#FILES}
 * @param lines the lines in their order, for {@link GrepOutput#LINES}, else empty
 * @since 0.1.0
 */
public record FileMatches(WorkspacePath path, long count, List<MatchedLine> lines) {

	/**
	 * Creates the value.
	 * @param path which file
	 * @param count how many lines match
	 * @param lines the lines in their order
	 */
	public FileMatches {
		lines = List.copyOf(lines);
	}

	static FileMatches of(WorkspacePath path, List<MatchedLine> lines) {
		return new FileMatches(path, lines.stream().filter((line) -> line.kind() == MatchedLine.Kind.MATCH).count(),
				lines);
	}

	/**
	 * Returns how many results this is.
	 */
	int results() {
		return Math.max(1, this.lines.size());
	}

}
