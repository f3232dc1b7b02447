package io.kairo.tools.edit;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The difference between the indentation of a part and that of the file, the same for all
 * lines.
 *
 * @param remove the start of each line of the part that the file lacks
 * @param add the start of each line of the file that the part lacks
 * @param tabWidth the number of spaces of the part that are one tab of the file; negative
 * if one tab of the part is that many spaces of the file; 0 for neither
 */
record Indentation(String remove, String add, int tabWidth) {

	private static final List<Integer> TAB_WIDTHS = List.of(4, 2, 8, 3, -4, -2, -8, -3);

	/**
	 * Finds the difference between the indentation of some lines and that of others.
	 * @param part the lines of the part
	 * @param file as many lines of the file, equal but for white space around them
	 * @return the difference, null if it is not the same for all lines
	 */
	static @Nullable Indentation between(List<String> part, List<String> file) {
		for (int i = 0; i < part.size(); i++) {
			if (!part.get(i).isBlank()) {
				Indentation shift = shift(indent(part.get(i)), indent(file.get(i)));
				if (shift.holds(part, file)) {
					return shift;
				}
				break;
			}
		}
		for (int width : TAB_WIDTHS) {
			Indentation tabs = new Indentation("", "", width);
			if (tabs.holds(part, file)) {
				return tabs;
			}
		}
		return null;
	}

	/**
	 * Indents a line of the part, or of its replacement, like the file.
	 */
	String apply(String line) {
		if (line.isBlank()) {
			return line;
		}
		String indent = indent(line);
		String rest = line.substring(indent.length());
		if (this.tabWidth > 0) {
			return indent.replace(" ".repeat(this.tabWidth), "\t") + rest;
		}
		if (this.tabWidth < 0) {
			return indent.replace("\t", " ".repeat(-this.tabWidth)) + rest;
		}
		int common = commonPrefix(indent, this.remove);
		return this.add + indent.substring(common) + rest;
	}

	private boolean holds(List<String> part, List<String> file) {
		for (int i = 0; i < part.size(); i++) {
			String line = part.get(i);
			if (!line.isBlank() && !(indent(line).startsWith(this.remove)
					&& apply(line).stripTrailing().equals(file.get(i).stripTrailing()))) {
				return false;
			}
		}
		return true;
	}

	private static Indentation shift(String part, String file) {
		int common = 0;
		while (common < Math.min(part.length(), file.length())
				&& part.charAt(part.length() - 1 - common) == file.charAt(file.length() - 1 - common)) {
			common++;
		}
		return new Indentation(part.substring(0, part.length() - common), file.substring(0, file.length() - common), 0);
	}

	private static String indent(String line) {
		int length = 0;
		while (length < line.length() && (line.charAt(length) == ' ' || line.charAt(length) == '\t')) {
			length++;
		}
		return line.substring(0, length);
	}

	private static int commonPrefix(String one, String other) {
		int length = 0;
		while (length < Math.min(one.length(), other.length()) && one.charAt(length) == other.charAt(length)) {
			length++;
		}
		return length;
	}

}
