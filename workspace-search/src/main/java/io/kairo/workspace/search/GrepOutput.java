package io.kairo.workspace.search;

/**
 * What is wanted of a search for text, and so what its results are.
 *
 * @since 0.1.0
 */
public enum GrepOutput {

	/** The files with a match; each is one result. */
	FILES,

	/** How many lines match in each file; each file is one result. */
	COUNTS,

	/** The lines that match and those around; each line is one result. */
	LINES

}
