package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.List;

/**
 * Checks the syntax of globs and expands alternatives, so that only segments with
 * {@code *}, {@code ?}, classes and escapes remain.
 */
final class GlobSyntax {

	private static final int MAX_LENGTH = 4096;

	private static final int MAX_ALTERNATIVES = 500;

	private GlobSyntax() {
	}

	/**
	 * Expands the alternatives of a glob.
	 * @return globs without alternatives
	 * @throws SearchPatternException if the glob is invalid
	 */
	static List<String> expand(String glob) {
		if (glob.isBlank()) {
			throw new SearchPatternException("The glob is empty: give one such as **/*.java.");
		}
		if (glob.length() > MAX_LENGTH) {
			throw new SearchPatternException(
					"The glob has " + glob.length() + " characters: give at most " + MAX_LENGTH + ".");
		}
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

	private static void check(String glob) {
		List<Integer> braces = new ArrayList<>();
		for (int i = 0; i < glob.length(); i++) {
			switch (glob.charAt(i)) {
				case '\\' -> {
					if (++i == glob.length()) {
						throw wrong("ends with a single backslash", glob.length(), "Write \\\\ for a backslash.");
					}
				}
				case '[' -> i = CharacterClass.end(glob, i);
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
