package io.kairo.workspace.search;

import com.google.re2j.Matcher;

/**
 * A text whose matches may span lines. For use by one thread.
 */
final class WholeText {

	private final String text;

	private final Matcher matcher;

	private final SearchClock clock;

	/** The line at {@link #lineStart}, from 0, found last. */
	private int line;

	private int lineStart;

	/** The number of lines that are done. */
	private int searched;

	/** The start of the first line that is not done. */
	private int searchedEnd;

	/**
	 * Creates a text.
	 * @param text the text, with line feeds alone as line ends unless the pattern sees
	 * carriage returns
	 */
	WholeText(String text, Matcher matcher, SearchClock clock) {
		this.text = text;
		this.matcher = matcher;
		this.clock = clock;
	}

	void search(LineContext context, LineSink sink) {
		int toFollow = 0;
		this.matcher.reset(TimedText.of(this.text, this.clock));
		for (int from = 0; from <= this.text.length() && !sink.isFull() && this.matcher.find(from);) {
			this.clock.check();
			if (this.matcher.start() >= this.text.length()) {
				break; // an empty match after the last line
			}
			moveTo(this.matcher.start());
			toFollow -= follow(Math.min(toFollow, this.line - this.searched), sink);
			precede(Math.min(context.before(), this.line - (int) sink.lastNumber()), sink);
			toFollow = match(sink) ? context.after() : toFollow;
			from = (this.matcher.end() > this.matcher.start()) ? this.matcher.end() : this.matcher.end() + 1;
		}
		follow(toFollow, sink);
	}

	/**
	 * Finds the line of a position after the line found last.
	 */
	private void moveTo(int position) {
		for (int next = next(this.lineStart); next <= position; next = next(this.lineStart)) {
			this.line++;
			this.lineStart = next;
		}
	}

	/**
	 * Adds the lines after the last match.
	 * @param lines the maximum number of lines
	 * @return the number of lines
	 */
	private int follow(int lines, LineSink sink) {
		int added = 0;
		for (; added < lines && this.searchedEnd < this.text.length(); added++) {
			if (this.searched >= sink.lastNumber()) {
				sink.context(this.searched + 1, line(this.searchedEnd), bytes(this.searchedEnd));
			}
			this.searched++;
			this.searchedEnd = next(this.searchedEnd);
		}
		return added;
	}

	/**
	 * Adds the lines before the current line.
	 */
	private void precede(int lines, LineSink sink) {
		int[] starts = new int[Math.max(lines, 0)];
		int start = this.lineStart;
		for (int i = starts.length - 1; i >= 0; i--) {
			start = this.text.lastIndexOf('\n', start - 2) + 1;
			starts[i] = start;
		}
		for (int i = 0; i < starts.length; i++) {
			sink.context(this.line - starts.length + i + 1, line(starts[i]), bytes(starts[i]));
		}
	}

	/**
	 * Adds the lines of a match that are not done.
	 * @return whether there are any
	 */
	private boolean match(LineSink sink) {
		int last = Math.max(this.matcher.start(), this.matcher.end() - 1);
		int before = this.searched;
		int number = this.line;
		for (int start = this.lineStart; start <= last; start = next(start)) {
			if (number >= this.searched) {
				int column = (number == this.line) ? this.matcher.start() - start : 0;
				boolean shown = sink.wantsLines() && !sink.isFull();
				sink.match(number + 1, shown ? line(start) : "", column, shown ? bytes(start) : 0);
				this.searched = number + 1;
				this.searchedEnd = next(start);
			}
			number++;
		}
		return this.searched > before;
	}

	/**
	 * Returns the start of the line after the one at a position.
	 */
	private int next(int start) {
		int end = this.text.indexOf('\n', start);
		return (end >= 0) ? end + 1 : this.text.length() + ((start < this.text.length()) ? 0 : 1);
	}

	private String line(int start) {
		int end = this.text.indexOf('\n', start);
		return this.text.substring(start, (end >= 0) ? end : this.text.length());
	}

	/**
	 * Returns the length of a line with its end in bytes of UTF-8.
	 */
	private int bytes(int start) {
		int bytes = 0;
		int end = Math.min(next(start), this.text.length());
		for (int i = start; i < end; i++) {
			char c = this.text.charAt(i);
			// the two parts of a pair have four bytes together
			bytes += (c < 0x80) ? 1 : (c < 0x800 || Character.isSurrogate(c)) ? 2 : 3;
		}
		return bytes;
	}

}
