package io.kairo.workspace.search;

import java.util.Objects;

import io.kairo.api.workspace.WorkspacePath;

/**
 * A query for files by their names. Immutable.
 * <p>
 * In the glob, {@code *} matches any characters except a slash, {@code ?} matches one
 * character except a slash, {@code **} matches any number of directories,
 * <code>{a,b}</code> matches either alternative, {@code [a-c]} and {@code [!a-c]} match
 * one character inside and outside a set; a backslash escapes the next character. A glob
 * without a slash matches names at any depth. Wildcards do not match a leading dot. The
 * search starts in the directories at the beginning of the glob, up to the first
 * wildcard, even if ignore files exclude them; they may be absolute or contain
 * {@code ..}, as long as they stay in the workspace.
 *
 * @param directory the directory to search
 * @param glob the glob
 * @param slice the part of the results to return, newest first
 */
public record GlobQuery(WorkspacePath directory, String glob, SearchSlice slice) {

	/**
	 * Creates the value.
	 * @throws SearchPatternException if the glob is invalid; the message has the position
	 */
	public GlobQuery {
		Objects.requireNonNull(directory, "directory");
		Objects.requireNonNull(slice, "slice");
		PathGlob.of(GlobStart.of(glob).rest());
	}

}
