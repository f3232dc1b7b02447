package io.kairo.tools.edit;

import java.util.List;

import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Gutter;
import io.kairo.tools.text.Phrase;

/**
 * The lines around changes, with the numbers that Read shows.
 *
 * @param text the text after the changes
 * @param changed the changes in ascending order
 * @param maxLines the maximum number of lines
 */
record ChangeSnippet(EditableText text, List<ChangedRanges.Range> changed, int maxLines) {

	private static final int CONTEXT = 3;

	private static final int MAX_LINE = 400;

	/**
	 * Returns the lines, and the number of changes that are left out.
	 */
	String show() {
		StringBuilder shown = new StringBuilder();
		int left = this.maxLines;
		int next = 0;
		int lines = lines();
		for (int i = 0; i < this.changed.size(); i++) {
			int first = this.text.lineAt(this.changed.get(i).from());
			if (left == 0 && first >= next) {
				return shown
						+ Phrase.of("… (%,d more changes, from line %,d on)\n", this.changed.size() - i, first + 1);
			}
			int from = Math.max(next, first - CONTEXT);
			int to = Math.min(lines, this.text.lineAt(this.changed.get(i).to()) + CONTEXT + 1);
			if (from > next && next > 0) {
				shown.append("…\n");
			}
			for (int line = from; line < to && left > 0; line++, left--) {
				shown.append(Gutter.number(line + 1, cut(line))).append('\n');
				next = line + 1;
			}
			if (left == 0 && next < to - CONTEXT) {
				shown.append(Phrase.of("… (the change goes on to line %,d)\n", to - CONTEXT));
				next = to;
			}
		}
		return shown.toString();
	}

	/**
	 * Returns the number of lines, without the empty one after the last line feed.
	 */
	private int lines() {
		int count = this.text.lineCount();
		return (count > 1 && this.text.start(count - 1) == this.text.bytes().length) ? count - 1 : count;
	}

	private String cut(int line) {
		String text = LineNormalizer.LINE_END.apply(this.text.line(line, MAX_LINE + 1));
		return Phrase.visible((text.length() > MAX_LINE) ? text.substring(0, MAX_LINE) + "…" : text);
	}

}
