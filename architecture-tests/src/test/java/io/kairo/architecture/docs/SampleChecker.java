package io.kairo.architecture.docs;

import java.util.List;
import java.util.Set;

/**
 * A check of the samples in some languages.
 */
interface SampleChecker {

	/**
	 * Returns the languages whose samples are checked.
	 */
	Set<String> languages();

	/**
	 * Checks a sample in one of the languages.
	 * @param sample the sample
	 * @return what is wrong with it; empty if nothing is
	 */
	List<String> check(Sample sample);

}
