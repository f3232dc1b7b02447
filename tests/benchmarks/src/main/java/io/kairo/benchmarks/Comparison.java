package io.kairo.benchmarks;

/**
 * A row of the table: a call beside its anchor.
 *
 * @param name the name of the call
 * @param anchorName the name of the anchor
 * @param target the maximum ratio
 * @param preparation prepares both
 */
record Comparison(String name, String anchorName, double target, Preparation preparation) {

	/**
	 * Makes the files and sandboxes that a row needs.
	 */
	@FunctionalInterface
	interface Preparation {

		/**
		 * Prepares the row.
		 * @param scratch a directory of the row alone
		 * @throws NotMeasuredException if this machine cannot run the row
		 */
		Sides prepare(Scratch scratch) throws Exception;

	}

	/**
	 * The two sides of a row.
	 *
	 * @param work the call
	 * @param anchor the anchor
	 */
	record Sides(Work<?> work, Work<?> anchor) {
	}

}
