package io.kairo.workspace.search;

/**
 * The kind of results of a search for text.
 */
public enum GrepOutput {

	/** The files with a match; each file is one result. */
	FILES,

	/** The number of matching lines per file; each file is one result. */
	COUNTS,

	/** The matching lines and their context; each line is one result. */
	LINES

}
