package io.kairo.api.workspace;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a change did, one line for each of its {@link WorkspaceChange#leaves() leaves} in
 * their order. Immutable.
 *
 * @param lines the lines
 * @since 0.1.0
 */
public record ChangeReport(List<Line> lines) {

	/**
	 * Creates the value.
	 * @param lines the lines
	 */
	public ChangeReport {
		lines = List.copyOf(lines);
	}

	/**
	 * Returns whether every single change was applied.
	 * @return false if one of them found nothing to do
	 */
	public boolean applied() {
		return this.lines.stream().allMatch(Line::applied);
	}

	/**
	 * What one single change did.
	 *
	 * @param path what was changed: the target of a move or a copy
	 * @param applied false if there was nothing to do: a compare-exchange that met
	 * another content, a directory that was there already
	 * @param version the version of the file afterwards; null if there is no file
	 */
	public record Line(WorkspacePath path, boolean applied, @Nullable String version) {

	}

}
