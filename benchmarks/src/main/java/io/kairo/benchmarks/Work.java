package io.kairo.benchmarks;

/**
 * One call whose duration is measured.
 */
@FunctionalInterface
interface Work {

	/**
	 * Does the work.
	 * @return what came of it, which is compared with what came of the anchor
	 * @throws Exception if it failed, which ends the benchmark
	 */
	Object run() throws Exception;

	/**
	 * Puts things back after a call. Not measured.
	 * @throws Exception if it failed, which ends the benchmark
	 */
	default void after() throws Exception {
	}

}
