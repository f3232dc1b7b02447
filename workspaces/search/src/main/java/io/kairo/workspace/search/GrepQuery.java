package io.kairo.workspace.search;

import java.util.Objects;

import io.kairo.api.workspace.WorkspacePath;

/**
 * A query for lines by their text. Immutable.
 * <p>
 * The results are in the order of their paths, so that repeated queries return the same
 * results and consecutive slices fit together as long as no file changes. Text is decoded
 * as UTF-8 unless a byte order mark names another charset; a line that is not valid UTF-8
 * is decoded as windows-1252. A carriage return at the end of a line belongs to the line
 * end unless the pattern names it. A file with a NUL byte is binary.
 *
 * @param path a directory, searched without ignored and hidden entries, or a file,
 * searched even if it is ignored or hidden
 * @param pattern the pattern
 * @param filter the filter of files below a directory; not applied to a {@code path} that
 * is a file
 * @param output the kind of results
 * @param context the number of context lines, for {@link GrepOutput#LINES}
 * @param slice the part of the results to return
 */
public record GrepQuery(WorkspacePath path, SearchPattern pattern, FileFilter filter, GrepOutput output,
		LineContext context, SearchSlice slice) {

	/**
	 * Creates the value.
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
