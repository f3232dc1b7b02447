package io.kairo.benchmarks;

/**
 * The amount of work of the rows.
 *
 * @param treeFiles files of a large tree
 * @param searchFiles files of the tree to search
 * @param fileBytes bytes of a large file
 * @param outputBytes bytes of a long output
 * @param commands concurrent commands
 * @param gitFiles files of a Git repository
 * @param agents agents of a task tree
 * @param held sessions, commands or workspaces that are open at once
 */
record Sizes(int treeFiles, int searchFiles, int fileBytes, long outputBytes, int commands, int gitFiles, int agents,
		int held) {

	static final Sizes FULL = new Sizes(60_000, 30_000, 10 << 20, 1L << 30, 1000,
			Integer.getInteger("kairo.benchmarks.git-files", 5_000), 100_000, 200);

	/**
	 * Enough to compare the results.
	 */
	static final Sizes SMALL = new Sizes(300, 600, 1 << 20, 4 << 20, 10, 200, 500, 10);

}
