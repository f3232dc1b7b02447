package io.kairo.tools.edit;

import java.util.List;

import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Gutter;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a file that begin and end as a part does, while the lines between differ
 * in number or text. Only a bounded part of the file is compared. For use by one thread.
 */
final class GrownCandidate {

	private static final int MAX_LINES = 50_000;

	private static final int MAX_LINE = 400;

	private static final int MIN_WANTED = 4;

	private static final int SHOWN = 3;

	private final EditableText text;

	private final List<String> wanted;

	private final EditTime time;

	/**
	 * Creates the search.
	 * @param text the text of the file
	 * @param wanted the lines of the part
	 * @param time the time of the edit
	 */
	GrownCandidate(EditableText text, List<String> wanted, EditTime time) {
		int last = wanted.size();
		while (last > 0 && wanted.get(last - 1).isBlank()) {
			last--;
		}
		int first = 0;
		while (first < last && wanted.get(first).isBlank()) {
			first++;
		}
		this.text = text;
		this.wanted = wanted.subList(first, last);
		this.time = time;
	}

	/**
	 * Returns the first and the last of the lines with a sentence before them, null if
	 * there are no such lines.
	 * @param part the term for the part
	 */
	@Nullable String show(String part) {
		int count = this.wanted.size();
		if (count < MIN_WANTED) {
			return null;
		}
		int lines = Math.min(this.text.lineCount(), MAX_LINES);
		int first = -1;
		int common = 0;
		for (int line = 0; line < lines; line++) {
			this.time.step();
			int prefix = common(line, 0, 1, lines);
			if (prefix > common) {
				common = prefix;
				first = line;
			}
		}
		if (first < 0 || (common == 1 && !isTelling(this.wanted.get(0)))) {
			return null;
		}
		for (int line = first + common; line < lines; line++) {
			this.time.step();
			int suffix = common(line, count - 1, -1, lines);
			boolean enough = suffix > 1 || (suffix == 1 && isTelling(this.wanted.get(count - 1)));
			if (enough && common + suffix >= Math.min(3, count - 1) && line - first + 1 != count) {
				return show(part, first, line);
			}
		}
		return null;
	}

	/**
	 * Returns the number of equal lines from a line on.
	 */
	private int common(int line, int index, int step, int lines) {
		int common = 0;
		int at = line;
		for (int i = index; i >= 0 && i < this.wanted.size() && at >= 0 && at < lines; i += step) {
			if (!this.text.line(at, MAX_LINE).strip().equals(this.wanted.get(i).strip())) {
				break;
			}
			common++;
			at += step;
		}
		return common;
	}

	private static boolean isTelling(String line) {
		return line.chars().filter(Character::isLetterOrDigit).count() > 2;
	}

	private String show(String part, int first, int last) {
		StringBuilder shown = new StringBuilder(
				Phrase.of(" Lines %,d to %,d begin and end as it does, but they are %,d lines, and %s has %,d:\n",
						first + 1, last + 1, last - first + 1, part, this.wanted.size()));
		for (int line = first; line <= last; line++) {
			if (line == first + SHOWN && last - line >= SHOWN) {
				shown.append("…\n");
				line = last - SHOWN + 1;
			}
			String there = LineNormalizer.LINE_END.apply(this.text.line(line, MAX_LINE + 1));
			shown
				.append(Gutter.number(line + 1,
						Phrase.visible((there.length() > MAX_LINE) ? there.substring(0, MAX_LINE) + "…" : there)))
				.append('\n');
		}
		return shown.toString().stripTrailing();
	}

}
