package io.kairo.architecture.docs;

import java.util.List;

/**
 * The checkers of all languages. A sample without a checker is a problem unless its page
 * opts it out with a reason.
 */
final class SampleCheckers {

	private final List<SampleChecker> checkers;

	SampleCheckers(SampleChecker... checkers) {
		this.checkers = List.of(checkers);
	}

	/**
	 * Checks a sample.
	 * @return the problems of the sample; empty if it is valid
	 */
	List<String> check(Sample sample) {
		if (!sample.unknownDirectives().isEmpty()) {
			return List.of("unknown directive " + sample.unknownDirectives());
		}
		if (sample.unchecked().isPresent()) {
			return List.of();
		}
		return this.checkers.stream()
			.filter((checker) -> checker.languages().contains(sample.language()))
			.findFirst()
			.map((checker) -> checker.check(sample))
			.orElseGet(() -> List.of("no checker for samples in '" + sample.language()
					+ "': name a language, or opt out with <!-- sample: unchecked because ... -->"));
	}

}
