package io.kairo.architecture.parity;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a {@code dependencies} block in a Gradle script.
 *
 * @param configuration what comes before the parenthesis, such as {@code api}
 * @param kind how the dependency is written
 * @param name what identifies it: a project, coordinates, or the name of a library in the
 * catalog
 */
record DependencyStatement(String configuration, Kind kind, String name) {

	/**
	 * How a dependency is written.
	 */
	enum Kind {

		/** As {@code project(":name")}. */
		PROJECT("project\\(\":([\\w-]+)\"\\)"),

		/** As {@code "group:artifact"}, with the version of a BOM. */
		COORDINATES("\"([\\w.-]+:[\\w.-]+)\""),

		/** As {@code libs.name}. */
		LIBRARY("(?:libs|catalog)\\.([\\w.]+)"),

		/** As {@code platform(libs.name)}. */
		PLATFORM("platform\\((?:libs|catalog)\\.([\\w.]+)\\)");

		private final Pattern pattern;

		Kind(String pattern) {
			this.pattern = Pattern.compile(pattern);
		}

	}

	private static final Pattern CALL = Pattern.compile("\"?(\\w+)\"?\\((.+)\\)");

	private static final Pattern MENTION = Pattern.compile("\\bdependencies\\b");

	/**
	 * Finds the lines of all {@code dependencies} blocks.
	 * @throws IllegalStateException if there is a line that is not understood
	 */
	static List<DependencyStatement> parse(String file, String script) {
		List<DependencyStatement> statements = new ArrayList<>();
		boolean inside = false;
		int number = 0;
		for (String raw : script.lines().toList()) {
			number++;
			String line = raw.replaceFirst("(^|\\s)//.*", "").strip();
			if (inside && line.equals("}")) {
				inside = false;
			}
			else if (inside && !line.isEmpty()) {
				statements.add(statement(file + ":" + number, line));
			}
			else if (line.equals("dependencies {")) {
				inside = true;
			}
			else if (MENTION.matcher(line).find()) {
				throw notUnderstood(file + ":" + number, line);
			}
		}
		if (inside) {
			throw notUnderstood(file, "a block without an end");
		}
		return statements;
	}

	private static DependencyStatement statement(String where, String line) {
		Matcher call = CALL.matcher(line);
		if (call.matches()) {
			for (Kind kind : Kind.values()) {
				Matcher notation = kind.pattern.matcher(call.group(2));
				if (notation.matches()) {
					return new DependencyStatement(call.group(1), kind, notation.group(1));
				}
			}
		}
		throw notUnderstood(where, line);
	}

	private static IllegalStateException notUnderstood(String where, String line) {
		return new IllegalStateException(where + ": the comparison of the builds does not understand \"" + line
				+ "\": write one configuration(notation) per line");
	}

}
