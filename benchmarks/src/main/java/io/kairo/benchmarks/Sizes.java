package io.kairo.benchmarks;

/**
 * How much the benchmarks do.
 *
 * @param treeFiles files of a large tree
 * @param fileBytes bytes of a large file
 * @param outputBytes bytes of the output of a talkative command
 * @param commands commands at the same time
 * @param gitFiles files of a Git repository
 */
record Sizes(int treeFiles, int fileBytes, long outputBytes, int commands, int gitFiles) {

	static final Sizes FULL = new Sizes(60_000, 10 << 20, 1L << 30, 1000,
			Integer.getInteger("kairo.benchmarks.git-files", 5_000));

	/**
	 * Enough to see that everything comes to what its anchor comes to.
	 */
	static final Sizes SMALL = new Sizes(300, 1 << 20, 4 << 20, 5, 200);

}
