package io.kairo.architecture.parity;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a {@code dependencies} block in a Gradle script.
 *
 * @param configuration the configuration, such as {@code api}, or {@code constraints.api}
 * in a nested block of constraints
 * @param kind the notation of the dependency
 * @param name the name of a project, the coordinates, or the name of a library in the
 * catalog
 */
record DependencyStatement(String configuration, Kind kind, String name) {

	/**
	 * The notation of a dependency.
	 */
	enum Kind {

		/** A project of this build: {@code project(":name")}. */
		PROJECT("project\\(\":([\\w-]+)\"\\)"),

		/** Coordinates with the version of a BOM: {@code "group:artifact"}. */
		COORDINATES("\"([\\w.-]+:[\\w.-]+)\""),

		/** A library of the catalog: {@code libs.name}. */
		LIBRARY("(?:libs|catalog)\\.([\\w.]+)"),

		/** A BOM of the catalog: {@code platform(libs.name)}. */
		PLATFORM("platform\\((?:libs|catalog)\\.([\\w.]+)\\)");

		private final Pattern pattern;

		Kind(String pattern) {
			this.pattern = Pattern.compile(pattern);
		}

	}

	private static final Pattern CALL = Pattern.compile("\"?(\\w+)\"?\\((.+)\\)");

	private static final Pattern MENTION = Pattern.compile("\\bdependencies\\b");

	/**
	 * Parses the lines of all {@code dependencies} blocks.
	 * @throws IllegalStateException if a line is not supported
	 */
	static List<DependencyStatement> parse(String file, String script) {
		List<DependencyStatement> statements = new ArrayList<>();
		boolean inside = false;
		boolean constraints = false;
		int number = 0;
		for (String raw : script.lines().toList()) {
			number++;
			String line = raw.replaceFirst("(^|\\s)//.*", "").strip();
			if (inside && line.equals("}")) {
				inside = constraints;
				constraints = false;
			}
			else if (inside && !constraints && line.equals("constraints {")) {
				constraints = true;
			}
			else if (inside && !line.isEmpty()) {
				statements.add(statement(file + ":" + number, constraints ? "constraints." : "", line));
			}
			else if (line.equals("dependencies {")) {
				inside = true;
			}
			else if (MENTION.matcher(line).find()) {
				throw unsupported(file + ":" + number, line);
			}
		}
		if (inside) {
			throw unsupported(file, "a block without an end");
		}
		return statements;
	}

	private static DependencyStatement statement(String where, String block, String line) {
		Matcher call = CALL.matcher(line);
		if (call.matches()) {
			for (Kind kind : Kind.values()) {
				Matcher notation = kind.pattern.matcher(call.group(2));
				if (notation.matches()) {
					return new DependencyStatement(block + call.group(1), kind, notation.group(1));
				}
			}
		}
		throw unsupported(where, line);
	}

	private static IllegalStateException unsupported(String where, String line) {
		return new IllegalStateException(where + ": the comparison of the builds does not support \"" + line
				+ "\": write one configuration(notation) per line");
	}

}
