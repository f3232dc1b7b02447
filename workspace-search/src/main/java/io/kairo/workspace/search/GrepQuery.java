package io.kairo.workspace.search;

import java.util.Objects;

import io.kairo.api.workspace.WorkspacePath;

/**
 * Asks for lines by their text. Immutable.
 * <p>
 * The results are in the order of their paths, so that the same question has the same
 * answer and slices fit together as long as nothing is changed. Text is UTF-8 or what a
 * byte order mark says; a line that is not valid UTF-8 is taken for windows-1252. A
 * carriage return at the end of a line belongs to the line end unless the pattern names
 * it. A file with a NUL byte is binary.
 *
 * @param path a directory, searched under the rules of ignore files and without what is
 * hidden, or a file, searched in any case
 * @param pattern what to search for
 * @param filter which files to search; not applied to a file that is named
 * @param output what is wanted
 * @param context how many lines are wanted around each that matches, for
 * {@link GrepOutput#LINES}
 * @param slice which part of the results
 * @since 0.1.0
 */
public record GrepQuery(WorkspacePath path, SearchPattern pattern, FileFilter filter, GrepOutput output,
		LineContext context, SearchSlice slice) {

	/**
	 * Creates the value.
	 * @param path where to search
	 * @param pattern what to search for
	 * @param filter which files to search
	 * @param output what is wanted
	 * @param context how many lines are wanted around
	 * @param slice which part of the results
	 */
	public GrepQuery {
		Objects.requireNonNull(path, "path");
		Objects.requireNonNull(pattern, "pattern");
		Objects.requireNonNull(filter, "filter");
		Objects.requireNonNull(output, "output");
		Objects.requireNonNull(context, "context");
		Objects.requireNonNull(slice, "slice");
	}

}
