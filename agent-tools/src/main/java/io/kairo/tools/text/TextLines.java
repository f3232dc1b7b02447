package io.kairo.tools.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Lines of a text that are created when they are needed. A line with another end than a
 * line feed, or a last line without end, shows it. Immutable.
 *
 * @param text the text
 * @param from the index of the first character, at the start of a line
 * @param to the index after the last character, at the end of a line or the text
 */
record TextLines(String text, int from, int to) {

	/** Maximum length of a line before it is cut. */
	private static final int MAX_LINE = 1 << 20;

	/**
	 * Returns the number of lines.
	 */
	int count() {
		int count = (this.to > this.from && this.text.charAt(this.to - 1) != '\n') ? 1 : 0;
		for (int i = this.from; i < this.to; i++) {
			count += (this.text.charAt(i) == '\n') ? 1 : 0;
		}
		return count;
	}

	/**
	 * Returns the number of characters.
	 */
	int length() {
		return this.to - this.from;
	}

	Stream<String> stream() {
		return Stream.iterate(this.from, (start) -> start < this.to, this::next).map(this::line);
	}

	List<String> list() {
		return stream().toList();
	}

	/**
	 * Returns the lines from the start to an index where a line starts.
	 */
	TextLines upTo(int end) {
		return new TextLines(this.text, this.from, end);
	}

	/**
	 * Returns the lines from an index where a line starts to the end.
	 */
	TextLines startingAt(int start) {
		return new TextLines(this.text, start, this.to);
	}

	/**
	 * Returns the last lines before an index where a line starts.
	 * @param most the maximum number of lines
	 */
	List<String> lastUpTo(int end, int most) {
		List<String> lines = new ArrayList<>();
		for (int start = end; start > this.from && lines.size() < most;) {
			start = this.text.lastIndexOf('\n', start - 2) + 1;
			lines.add(line(start));
		}
		Collections.reverse(lines);
		return lines;
	}

	private int next(int start) {
		int end = this.text.indexOf('\n', start);
		return (end >= 0) ? end + 1 : this.to;
	}

	private String line(int start) {
		int end = this.text.indexOf('\n', start);
		if (((end >= 0) ? end : this.text.length()) - start > MAX_LINE) {
			return this.text.substring(start, start + MAX_LINE);
		}
		return (end >= 0) ? this.text.substring(start, end)
				: this.text.substring(start) + "\n\\ No newline at end of file";
	}

}
