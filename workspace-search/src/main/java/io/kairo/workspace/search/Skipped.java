package io.kairo.workspace.search;

/**
 * What a search met and did not look into. Files that the glob or the type excludes are
 * not counted: they were not asked for. What is inside a directory that was not entered
 * is not known. Immutable.
 *
 * @param hiddenFiles files whose name begins with a dot
 * @param hiddenDirectories directories whose name begins with a dot
 * @param ignoredFiles files that {@code .gitignore} or {@code .ignore} excludes
 * @param ignoredDirectories directories that they exclude
 * @param binary files that are no text
 * @param tooLarge files, or lines of files, that are too large
 * @param unreadable entries that could not be opened or have names that cannot be a path
 * @param links symbolic links, which are not followed
 * @since 0.1.0
 */
public record Skipped(long hiddenFiles, long hiddenDirectories, long ignoredFiles, long ignoredDirectories, long binary,
		long tooLarge, long unreadable, long links) {

	/**
	 * Nothing was skipped.
	 */
	public static final Skipped NOTHING = new Skipped(0, 0, 0, 0, 0, 0, 0, 0);

}
