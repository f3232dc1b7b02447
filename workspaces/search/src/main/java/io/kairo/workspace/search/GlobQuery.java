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
 * {@code ..}, as long as they stay in the workspace. A name that is spelled like a part
 * of the glob, such as {@code [id]}, matches that part too. Several relative globs may be
 * separated by commas or white space; they start in the searched directory, and one with
 * a leading {@code !} excludes files.
 *
 * @param directory the directory to search
 * @param glob the glob
 * @param slice the part of the results to return, newest first
 */
public record GlobQuery(WorkspacePath directory, String glob, SearchSlice slice) {

	/**
	 * Creates the value.
	 * @throws SearchPatternException if the glob is empty or too long, has too many
	 * alternatives or goes up after a wildcard; a search throws it for any other invalid
	 * glob, with the position of the mistake, if no file has such a name
	 */
	public GlobQuery {
		Objects.requireNonNull(directory, "directory");
		Objects.requireNonNull(slice, "slice");
		GlobStart.of(glob).filter();
	}

}
