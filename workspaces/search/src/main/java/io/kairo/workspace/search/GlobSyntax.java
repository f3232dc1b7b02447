package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Checks the syntax of globs, splits lists of them, and expands alternatives, so that
 * only segments with {@code *}, {@code ?}, classes and escapes remain.
 */
final class GlobSyntax {

	private static final int MAX_LENGTH = 4096;

	private static final int MAX_ALTERNATIVES = 500;

	/** A glob or a name that may be separated by white space. */
	private static final Pattern LISTED = Pattern.compile(".*[*?\\[{].*|[^/]*\\.[^/]*", Pattern.DOTALL);

	/** Maximum number of readings of the braces of a glob, as syntax or as names. */
	private static final int MAX_READINGS = 32;

	private GlobSyntax() {
	}

	/**
	 * Expands the alternatives of a glob.
	 * @return globs without alternatives
	 * @throws SearchPatternException if the glob is invalid
	 */
	static List<String> expand(String glob) {
		checkLength(glob);
		check(glob);
		List<String> open = new ArrayList<>(List.of(glob));
		List<String> expanded = new ArrayList<>();
		while (!open.isEmpty()) {
			String next = open.remove(open.size() - 1);
			int brace = indexOf(next, '{', 0);
			if (brace < 0) {
				expanded.add(next);
			}
			else {
				List<String> alternatives = alternatives(next, brace);
				for (int i = alternatives.size() - 1; i >= 0; i--) {
					open.add(alternatives.get(i));
				}
			}
			if (open.size() + expanded.size() > MAX_ALTERNATIVES) {
				throw new SearchPatternException(
						"The glob has more than " + MAX_ALTERNATIVES + " alternatives: use fewer braces.");
			}
		}
		return expanded;
	}

	/**
	 * Expands the alternatives of a glob. Names that are spelled like a part of it with
	 * braces, such as <code>a{b}.txt</code>, are further alternatives.
	 * @return globs without alternatives, those of the glob itself first
	 * @throws SearchPatternException if the glob is invalid
	 */
	static List<String> expandWithNames(String glob) {
		List<String> expanded = new ArrayList<>(expand(glob));
		List<String> readings = List.of("");
		for (String part : split(glob, (c) -> c == '/')) {
			boolean braces = indexOf(part, '{', 0) >= 0 && part.indexOf('/') < 0 && readings.size() < MAX_READINGS;
			readings = readings.stream()
				.flatMap((start) -> (braces ? Stream.of(part, escape(part)) : Stream.of(part))
					.map((reading) -> start + "/" + reading))
				.toList();
		}
		for (String reading : readings.subList(1, readings.size())) {
			List<String> more = expand(reading.substring(1));
			if (expanded.size() + more.size() <= MAX_ALTERNATIVES) {
				expanded.addAll(more);
			}
		}
		return expanded;
	}

	/**
	 * Returns the globs of a list that are separated by commas or white space outside
	 * braces. The list itself comes first, since it may be the name of a file. White
	 * space only separates globs with a wildcard and names of files with a dot.
	 * @param globs the list
	 * @return the globs, one if it is no list
	 */
	static List<String> list(String globs) {
		try {
			List<String> words = split(globs, (c) -> c == ',' || Character.isWhitespace(c));
			List<String> parts = words.stream().allMatch((word) -> word.isEmpty() || LISTED.matcher(word).matches())
					? words : split(globs, (c) -> c == ',').stream().map(String::strip).toList();
			List<String> all = new ArrayList<>(parts);
			all.removeIf(String::isEmpty);
			if (all.size() < 2) {
				return List.of(globs);
			}
			if (!globs.startsWith("!")) {
				all.add(0, globs);
			}
			return all;
		}
		catch (SearchPatternException ex) {
			return List.of(globs);
		}
	}

	/**
	 * Splits a glob at characters that are neither escaped nor in braces or classes.
	 */
	private static List<String> split(String glob, IntPredicate separator) {
		List<String> parts = new ArrayList<>();
		int depth = 0;
		int start = 0;
		for (int i = 0; i < glob.length(); i++) {
			char c = glob.charAt(i);
			switch (c) {
				case '\\' -> i++;
				case '[' -> i = CharacterClass.end(glob, i);
				case '{' -> depth++;
				case '}' -> depth--;
				default -> {
					if (depth == 0 && separator.test(c)) {
						parts.add(glob.substring(start, i));
						start = i + 1;
					}
				}
			}
		}
		parts.add(glob.substring(start));
		return parts;
	}

	/**
	 * Returns the mistake in a glob.
	 * @return the exception, null if the glob is valid
	 * @throws SearchPatternException if the glob is empty or too long
	 */
	static @Nullable SearchPatternException mistake(String glob) {
		checkLength(glob);
		try {
			check(glob);
			return null;
		}
		catch (SearchPatternException ex) {
			return ex;
		}
	}

	/**
	 * Returns a glob for the names that an invalid one is spelled like: each part that is
	 * invalid by itself matches only the name that equals it.
	 */
	static String asNames(String invalid) {
		return Arrays.stream(invalid.split("/", -1))
			.map((part) -> (part.isBlank() || mistake(part) == null) ? part : escape(part))
			.collect(Collectors.joining("/"));
	}

	/**
	 * Returns a glob for what another one matches below some directories.
	 * @param directories the names of the directories
	 * @param glob the other glob, with a slash at its beginning
	 */
	static String below(List<String> directories, String glob) {
		return directories.stream().map((name) -> "/" + escape(name)).collect(Collectors.joining()) + glob;
	}

	private static String escape(String name) {
		return name.replaceAll("[\\\\*?\\[\\]{},\\s]", "\\\\$0");
	}

	private static void checkLength(String glob) {
		if (glob.isBlank()) {
			throw new SearchPatternException("The glob is empty: give one such as **/*.java.");
		}
		if (glob.length() > MAX_LENGTH) {
			throw new SearchPatternException(
					"The glob has " + glob.length() + " characters: give at most " + MAX_LENGTH + ".");
		}
	}

	private static void check(String glob) {
		List<Integer> braces = new ArrayList<>();
		for (int i = 0; i < glob.length(); i++) {
			switch (glob.charAt(i)) {
				case '\\' -> checkEscape(glob, i++);
				case '[' -> {
					int end = CharacterClass.end(glob, i);
					for (i++; i < end; i++) {
						if (glob.charAt(i) == '\\') {
							checkEscape(glob, i++);
						}
					}
				}
				case '{' -> braces.add(i);
				case '}' -> {
					if (braces.isEmpty()) {
						throw wrong("has a } that closes nothing", i + 1, "Write \\} for a brace in a name.");
					}
					braces.remove(braces.size() - 1);
				}
				default -> {
				}
			}
		}
		if (!braces.isEmpty()) {
			throw wrong("has a { that is never closed", braces.get(0) + 1, "Write \\{ for a brace in a name.");
		}
	}

	private static void checkEscape(String glob, int backslash) {
		if (backslash + 1 == glob.length()) {
			throw wrong("ends with a single backslash", glob.length(), "Write \\\\ for a backslash.");
		}
		char escaped = glob.charAt(backslash + 1);
		if (Character.isLetterOrDigit(escaped)) {
			throw wrong("has \\" + escaped + ", which is no escape", backslash + 1,
					"Write / between directories, and \\\\ for a backslash in a name.");
		}
	}

	/**
	 * Returns one glob for each alternative of the first brace.
	 */
	private static List<String> alternatives(String glob, int brace) {
		List<String> parts = new ArrayList<>();
		int depth = 0;
		int start = brace + 1;
		for (int i = brace; i < glob.length(); i++) {
			char c = glob.charAt(i);
			if (c == '\\') {
				i++;
			}
			else if (c == '[') {
				i = CharacterClass.end(glob, i);
			}
			else if (c == '{') {
				depth++;
			}
			else if ((c == ',' && depth == 1) || (c == '}' && --depth == 0)) {
				parts.add(glob.substring(start, i));
				start = i + 1;
				if (c == '}') {
					break;
				}
			}
		}
		String before = glob.substring(0, brace);
		String after = glob.substring(start);
		return parts.stream().map((part) -> before + part + after).toList();
	}

	/**
	 * Returns the index of the first unescaped character outside classes, -1 if there is
	 * none.
	 */
	private static int indexOf(String glob, char wanted, int from) {
		for (int i = from; i < glob.length(); i++) {
			char c = glob.charAt(i);
			if (c == wanted) {
				return i;
			}
			if (c == '\\') {
				i++;
			}
			else if (c == '[') {
				i = CharacterClass.end(glob, i);
			}
		}
		return -1;
	}

	static SearchPatternException wrong(String what, int position, String remedy) {
		return new SearchPatternException("The glob " + what + " (position " + position + "). " + remedy);
	}

}
