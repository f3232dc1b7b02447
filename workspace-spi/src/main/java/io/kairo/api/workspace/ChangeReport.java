package io.kairo.api.workspace;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The effects of a change, one line for each of its {@link WorkspaceChange#leaves()
 * leaves} in their order. Immutable.
 *
 * @param lines the lines
 */
public record ChangeReport(List<Line> lines) {

	/**
	 * Creates the value.
	 */
	public ChangeReport {
		lines = List.copyOf(lines);
	}

	/**
	 * Returns whether every single change was applied.
	 * @return false if one of them had no effect
	 */
	public boolean applied() {
		return this.lines.stream().allMatch(Line::applied);
	}

	/**
	 * The effect of a single change.
	 *
	 * @param path the changed entry: the target of a move or a copy
	 * @param applied false if the change had no effect: a compare-exchange that found
	 * other content, or the creation of a directory that exists already
	 * @param version the version of the file afterwards; null if there is no file
	 */
	public record Line(WorkspacePath path, boolean applied, @Nullable String version) {

	}

}
