package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The difference between the indentations of a part and the file, the same for all lines.
 *
 * @param remove the start of each line of the part that the file lacks
 * @param add the start of each line of the file that the part lacks
 * @param tabWidth the number of spaces of the part, after its start, that are one tab of
 * the file; negative if one tab of the part is that many spaces of the file; 0 for
 * neither
 */
record Indentation(String remove, String add, int tabWidth) {

	private static final List<Integer> TAB_WIDTHS = List.of(4, 2, 8, 3, -4, -2, -8, -3);

	/**
	 * Finds the difference between the indentations of two lists of lines.
	 * @param part the lines of the part
	 * @param file as many lines of the file, equal but for white space around them
	 * @param replacement the lines of the replacement
	 * @param extent the differences to try
	 * @return the difference, if possible without {@link #mixes mixing}; null if it is
	 * not the same for all lines
	 */
	static @Nullable Indentation between(List<String> part, List<String> file, List<String> replacement,
			Extent extent) {
		Indentation found = null;
		for (Indentation candidate : candidates(part, file, extent)) {
			if (candidate.holds(part, file)) {
				if (!candidate.mixes(file, replacement)) {
					return candidate;
				}
				found = (found != null) ? found : candidate;
			}
		}
		return found;
	}

	/**
	 * Returns whether a line of the replacement would be indented with both tabs and
	 * spaces while each line of the file has either.
	 */
	boolean mixes(List<String> file, List<String> replacement) {
		return file.stream().noneMatch(Indentation::isMixed)
				&& replacement.stream().map(this::apply).anyMatch(Indentation::isMixed);
	}

	private static List<Indentation> candidates(List<String> part, List<String> file, Extent extent) {
		List<Indentation> candidates = new ArrayList<>();
		Indentation shift = new Indentation("", "", 0);
		for (int i = 0; i < part.size(); i++) {
			if (!part.get(i).isBlank()) {
				shift = shift(indent(part.get(i)), indent(file.get(i)));
				break;
			}
		}
		int width = shift.width();
		if (width != 0) {
			candidates.add(new Indentation("", "", width));
		}
		candidates.add(shift);
		for (int tabs : TAB_WIDTHS) {
			candidates.add(new Indentation("", "", tabs));
		}
		for (int tabs : TAB_WIDTHS) {
			if (extent == Extent.BOTH && (tabs > 0 || shift.add().length() % tabs == 0)) {
				candidates.add(new Indentation(shift.remove(), shift.add(), tabs));
			}
		}
		return candidates;
	}

	/**
	 * Returns the width of a tab if tabs are there for spaces, or spaces for tabs, and
	 * nothing else; otherwise 0.
	 */
	private int width() {
		boolean toTabs = !this.add.isEmpty() && this.remove.isBlank() && this.remove.indexOf('\t') < 0
				&& this.add.indexOf(' ') < 0;
		boolean toSpaces = !this.remove.isEmpty() && this.remove.indexOf(' ') < 0 && this.add.indexOf('\t') < 0;
		int width = (toTabs && this.remove.length() % this.add.length() == 0) ? this.remove.length() / this.add.length()
				: (toSpaces && this.add.length() % this.remove.length() == 0)
						? -this.add.length() / this.remove.length() : 0;
		return TAB_WIDTHS.contains(width) ? width : 0;
	}

	/**
	 * Indents a line of the part, or of its replacement, like the file.
	 */
	String apply(String line) {
		if (line.isBlank()) {
			return line;
		}
		String indent = indent(line);
		String inner = indent.substring(commonPrefix(indent, this.remove));
		if (this.tabWidth > 0) {
			inner = inner.replace(" ".repeat(this.tabWidth), "\t");
		}
		else if (this.tabWidth < 0) {
			inner = inner.replace("\t", " ".repeat(-this.tabWidth));
		}
		return this.add + inner + line.substring(indent.length());
	}

	private static boolean isMixed(String line) {
		String indent = indent(line);
		return !line.isBlank() && indent.indexOf(' ') >= 0 && indent.indexOf('\t') >= 0;
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

	/**
	 * The differences that are tried.
	 */
	enum Extent {

		/** Another start of the lines, or tabs for spaces. */
		EITHER,

		/** Also another start and tabs for spaces after it. */
		BOTH

	}

}
