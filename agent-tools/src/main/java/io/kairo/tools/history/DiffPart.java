package io.kairo.tools.history;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The part of a unified diff of Git that belongs to one file, or a note in parentheses
 * that belongs to all.
 *
 * @param text the part
 * @see <a href="https://git-scm.com/docs/diff-format">The format of Git</a>
 */
record DiffPart(String text) {

	private static final String HEADER = "diff --git ";

	private static final Pattern STARTS = Pattern.compile("(?m)^(?=diff --git |\\()");

	private static final String ESCAPED = "abtnvfr";

	private static final String MEANT = "\u0007\b\t\n\u000B\f\r";

	static Stream<DiffPart> of(String diff) {
		return STARTS.splitAsStream(diff).map(DiffPart::new);
	}

	/**
	 * Returns whether the part belongs to a file, or to all.
	 * @param file returns true for the path of the file from the root
	 */
	boolean isOf(Predicate<String> file) {
		return !this.text.startsWith(HEADER) || names().stream().anyMatch(file);
	}

	/**
	 * Returns the old and the new name of the file.
	 */
	private Set<String> names() {
		Set<String> names = new LinkedHashSet<>();
		this.text.lines().takeWhile((line) -> !line.startsWith("@@")).forEach((line) -> {
			if (line.startsWith(HEADER)) {
				// the header of a change without rename has the same name twice
				String both = line.substring(HEADER.length());
				names.add(name(both.substring(both.length() / 2).stripLeading(), 2));
			}
			else if (line.startsWith("--- ") || line.startsWith("+++ ")) {
				names.add(name(line.substring(4), 2));
			}
			else if (line.startsWith("rename from ") || line.startsWith("copy from ")) {
				names.add(name(line.substring(line.indexOf("from ") + 5), 0));
			}
			else if (line.startsWith("rename to ") || line.startsWith("copy to ")) {
				names.add(name(line.substring(line.indexOf("to ") + 3), 0));
			}
		});
		return names;
	}

	/**
	 * Returns a name without its quotes and the {@code a/} or {@code b/} in front.
	 */
	private static String name(String written, int prefix) {
		String name = (written.length() > 1 && written.startsWith("\"") && written.endsWith("\""))
				? unquoted(written.substring(1, written.length() - 1)) : written;
		return name.substring(Math.min(prefix, name.length()));
	}

	private static String unquoted(String quoted) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		for (int i = 0; i < quoted.length(); i++) {
			char c = quoted.charAt(i);
			if (c != '\\' || i + 1 == quoted.length()) {
				bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
				continue;
			}
			char escaped = quoted.charAt(++i);
			if (escaped >= '0' && escaped <= '3' && i + 2 < quoted.length()) {
				bytes.write((escaped - '0') << 6 | (quoted.charAt(i + 1) - '0') << 3 | (quoted.charAt(i + 2) - '0'));
				i += 2;
			}
			else {
				int place = ESCAPED.indexOf(escaped);
				bytes.write((place >= 0) ? MEANT.charAt(place) : escaped);
			}
		}
		return bytes.toString(StandardCharsets.UTF_8);
	}

}
