package io.kairo.workspace.search;

/**
 * The numbers of entries that a search skipped. Files that the glob or the file type
 * excludes are not counted, nor are entries in directories that were not entered.
 * Immutable.
 *
 * @param hiddenFiles files whose name begins with a dot
 * @param hiddenDirectories directories whose name begins with a dot
 * @param ignoredFiles files that {@code .gitignore} or {@code .ignore} excludes
 * @param ignoredDirectories directories that they exclude
 * @param binary files that are not text
 * @param tooLarge files, or lines of files, that are too large
 * @param unreadable entries that could not be opened or have names that cannot be a path
 * @param links symbolic links; they are not followed
 * @param cutIgnoreFiles ignore files that were applied in part, because they or the
 * ignore files of the search together have too many rules
 */
public record Skipped(long hiddenFiles, long hiddenDirectories, long ignoredFiles, long ignoredDirectories, long binary,
		long tooLarge, long unreadable, long links, long cutIgnoreFiles) {

	/**
	 * No skipped entries.
	 */
	public static final Skipped NOTHING = new Skipped(0, 0, 0, 0, 0, 0, 0, 0, 0);

}
