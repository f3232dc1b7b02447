package io.kairo.workspace.search;

import java.util.List;

import io.kairo.api.workspace.WorkspacePath;

/**
 * The matches in a file. Immutable.
 *
 * @param path the path of the file
 * @param count the number of matching lines for {@link GrepOutput#COUNTS}, the number of
 * matching {@code lines} for {@link GrepOutput#LINES}, and 1 for {@link GrepOutput#FILES}
 * @param lines the lines in the order of the file for {@link GrepOutput#LINES}, otherwise
 * empty
 */
public record FileMatches(WorkspacePath path, long count, List<MatchedLine> lines) {

	/**
	 * Creates the value.
	 */
	public FileMatches {
		lines = List.copyOf(lines);
	}

	static FileMatches of(WorkspacePath path, List<MatchedLine> lines) {
		return new FileMatches(path, lines.stream().filter((line) -> line.kind() == MatchedLine.Kind.MATCH).count(),
				lines);
	}

	/**
	 * Returns the number of characters of the path and the lines.
	 */
	long characters() {
		return this.path.relative().length() + this.lines.stream().mapToLong((line) -> line.text().length()).sum();
	}

	/**
	 * Returns the number of results that the matches count as.
	 */
	int results() {
		return Math.max(1, this.lines.size());
	}

}
