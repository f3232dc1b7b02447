package io.kairo.workspace.search;

import java.util.Objects;

import io.kairo.api.workspace.WorkspacePath;

/**
 * Asks for files by their names. Immutable.
 * <p>
 * In the glob, {@code *} stands for any characters but a slash, {@code ?} for one of
 * them, {@code **} for any number of directories, <code>{a,b}</code> for either,
 * {@code [a-c]} and {@code [!a-c]} for one character of a set; a backslash takes the
 * meaning from the next character. A glob without a slash is for names at any depth. A
 * leading dot must be written to be matched. Directories at the beginning of a glob, up
 * to the first wildcard, are where the search starts, whatever ignore files say of them;
 * they may be absolute or go up, as far as the workspace goes.
 *
 * @param directory where to search
 * @param glob the glob
 * @param slice which part of the result, newest first
 * @since 0.1.0
 */
public record GlobQuery(WorkspacePath directory, String glob, SearchSlice slice) {

	/**
	 * Creates the value.
	 * @param directory where to search
	 * @param glob the glob
	 * @param slice which part of the result
	 * @throws SearchPatternException if the glob is not one, saying where it is wrong
	 */
	public GlobQuery {
		Objects.requireNonNull(directory, "directory");
		Objects.requireNonNull(slice, "slice");
		PathGlob.of(GlobStart.of(glob).rest());
	}

}
