package io.kairo.architecture.docs;

import java.util.List;
import java.util.Set;

/**
 * Checks samples in certain languages.
 */
interface SampleChecker {

	/**
	 * Returns the languages whose samples are checked.
	 */
	Set<String> languages();

	/**
	 * Checks a sample in one of the languages.
	 * @param sample the sample
	 * @return the problems of the sample; empty if it is valid
	 */
	List<String> check(Sample sample);

}
