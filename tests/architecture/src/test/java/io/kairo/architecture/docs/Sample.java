package io.kairo.architecture.docs;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A fenced code block of a page.
 *
 * @param page the page, relative to the repository
 * @param line the line number of the opening fence, from 1
 * @param language the info string of the fence, such as {@code java}
 * @param directive the text of the comment {@code <!-- sample: ... -->} on the line
 * before the fence; empty without one
 * @param text the lines of the block
 */
record Sample(String page, int line, String language, String directive, String text) {

	private static final String UNCHECKED = "unchecked because ";

	/**
	 * Returns the reason why the page opts the sample out of its check.
	 */
	Optional<String> unchecked() {
		return argument(UNCHECKED);
	}

	/**
	 * Returns the declarations of the variables that a Java fragment uses and does not
	 * declare, such as {@code ExecutionSandbox sandbox}.
	 */
	List<String> given() {
		return argument("given ").map((names) -> List.of(names.split(",\\s*"))).orElse(List.of());
	}

	/**
	 * Returns whether a Java fragment continues the previous one of its page.
	 */
	boolean continues() {
		return directives().contains("continues");
	}

	/**
	 * Returns whether a Java fragment is run after it is compiled.
	 */
	boolean runs() {
		return directives().contains("runs");
	}

	/**
	 * Returns the unknown directives.
	 */
	List<String> unknownDirectives() {
		return directives().stream()
			.filter((one) -> !one.startsWith(UNCHECKED) && !one.startsWith("given ")
					&& !List.of("continues", "runs").contains(one))
			.toList();
	}

	private Optional<String> argument(String keyword) {
		return directives().stream()
			.filter((one) -> one.startsWith(keyword))
			.map((one) -> one.substring(keyword.length()))
			.findFirst();
	}

	private List<String> directives() {
		return Arrays.stream(this.directive.split(";")).map(String::strip).filter((one) -> !one.isEmpty()).toList();
	}

	@Override
	public String toString() {
		return this.page + ":" + this.line + " " + this.language;
	}

}
