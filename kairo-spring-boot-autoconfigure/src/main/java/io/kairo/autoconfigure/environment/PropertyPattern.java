package io.kairo.autoconfigure.environment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The name of a property, with placeholders for the index of a list and the key of a map.
 * Names are compared as Spring Boot binds them.
 *
 * @param elements the elements of the name in lower case with dashes
 */
record PropertyPattern(List<String> elements) {

	/** The key of an entry in a map. */
	static final String KEY = "*";

	/** The index of an element in a list. */
	static final String INDEX = "#";

	/** At least one element of any name. */
	static final String REST = "**";

	static PropertyPattern of(String name) {
		return new PropertyPattern(List.of(name.split("\\.")));
	}

	PropertyPattern with(String element) {
		List<String> longer = new ArrayList<>(this.elements);
		longer.add(element);
		return new PropertyPattern(List.copyOf(longer));
	}

	/**
	 * Returns whether a property has a name of this pattern.
	 * @param name the elements of the name
	 * @param variable whether the name comes from an environment variable, so that a dash
	 * may have become an underscore, and so the end of an element
	 */
	boolean matches(List<String> name, boolean variable) {
		return matches(0, name, variable);
	}

	private boolean matches(int from, List<String> name, boolean variable) {
		if (from == this.elements.size() || name.isEmpty()) {
			return from == this.elements.size() && name.isEmpty();
		}
		String element = this.elements.get(from);
		if (element.equals(REST)) {
			return true;
		}
		if (element.equals(KEY) || (element.equals(INDEX) && name.get(0).matches("\\d+"))
				|| uniform(element).equals(uniform(name.get(0)))) {
			return matches(from + 1, name.subList(1, name.size()), variable);
		}
		List<String> parts = List.of(element.split("-"));
		return variable && name.size() >= parts.size() && parts.equals(name.subList(0, parts.size()))
				&& matches(from + 1, name.subList(parts.size(), name.size()), variable);
	}

	/**
	 * Returns whether a property has the name of a group of this pattern.
	 */
	boolean isBelow(List<String> group) {
		return group.size() < this.elements.size()
				&& new PropertyPattern(this.elements.subList(0, group.size())).matches(group, false);
	}

	/**
	 * Returns the Levenshtein distance to a name without dashes and dots.
	 */
	int distance(String name) {
		String own = uniform(String.join("", this.elements));
		int[] previous = IntStream.rangeClosed(0, name.length()).toArray();
		for (int i = 1; i <= own.length(); i++) {
			int[] current = new int[name.length() + 1];
			current[0] = i;
			for (int j = 1; j <= name.length(); j++) {
				int substitution = previous[j - 1] + ((own.charAt(i - 1) == name.charAt(j - 1)) ? 0 : 1);
				current[j] = Math.min(substitution, Math.min(previous[j], current[j - 1]) + 1);
			}
			previous = current;
		}
		return previous[name.length()];
	}

	static String uniform(String element) {
		return element.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the name of the environment variable.
	 */
	String variable() {
		return String.join("_", this.elements).replace("-", "").replace(INDEX, "0").toUpperCase(Locale.ROOT);
	}

	@Override
	public String toString() {
		return String.join(".", this.elements).replace("." + INDEX, "[0]");
	}

}
