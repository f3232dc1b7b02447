package io.kairo.workspace.search;

import com.google.re2j.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * A line-by-line search of a file, one part after another. RE2 is applied only to lines
 * where the literals and the automaton of the pattern leave the match open. For use by
 * one thread.
 */
final class LineScan {

	private static final int OFTEN = 1 << 16;

	private final CompiledPattern pattern;

	private final Matcher matcher;

	private final LineAutomaton automaton;

	private final LineContext context;

	private final @Nullable LiteralFinder literals;

	private final SearchClock clock;

	private final LineSink sink;

	private byte[] buffer = new byte[0];

	private int floor;

	/** The number of the line at {@link #position}. */
	private long number = 1;

	private int position;

	private int toFollow;

	/** The number of characters matched since the last check of the clock. */
	private int unchecked;

	LineScan(CompiledPattern pattern, Matcher matcher, @Nullable LiteralFinder literals, LineAutomaton automaton,
			LineContext context, SearchClock clock, LineSink sink) {
		this.pattern = pattern;
		this.literals = literals;
		this.matcher = matcher;
		this.automaton = automaton;
		this.context = context;
		this.clock = clock;
		this.sink = sink;
	}

	/**
	 * Searches whole lines.
	 * @param buffer the buffer with the lines
	 * @param floor the start of the lines of earlier parts that are still in the buffer
	 * @param from the start of the lines to search
	 * @param to the end of the lines to search
	 * @param last whether no lines follow
	 */
	void scan(byte[] buffer, int floor, int from, int to, boolean last) {
		this.buffer = buffer;
		this.floor = floor;
		this.position = from;
		LiteralFinder literals = this.literals;
		if (literals != null) {
			literals.begin(buffer, from, to);
		}
		while (this.position < to && !this.sink.isFull()) {
			int found = (literals != null) ? literals.find(this.position)
					: this.automaton.find(buffer, this.position, to);
			passOver((found < 0) ? to : lineStart(found), found < 0 && last);
			if (found < 0) {
				return;
			}
			if (!this.sink.isFull()) {
				look(to);
			}
		}
	}

	/**
	 * Returns the start of the line of a byte.
	 */
	private int lineStart(int index) {
		int start = index;
		while (start > this.position && this.buffer[start - 1] != '\n') {
			start--;
		}
		return start;
	}

	private void look(int to) {
		int next = lineEnd(to);
		if (!searchLine(next)) {
			follow(next);
		}
		this.number++;
		this.position = next;
		if ((this.number & 0xFFF) == 0) {
			this.clock.check();
		}
	}

	private boolean searchLine(int next) {
		if (this.literals != null && this.automaton.find(this.buffer, this.position, next) < 0) {
			return false;
		}
		boolean matches = !this.automaton.isExhausted() && isAscii(next);
		if (matches && !this.sink.wantsLines()) {
			this.sink.match(this.number, "", 0, 0);
			return true;
		}
		String text = text(this.position, next);
		int start = (matches && !this.sink.cuts(text)) ? 0 : find(text);
		if (start < 0) {
			return false;
		}
		precede();
		this.sink.match(this.number, text, start, next - this.position);
		this.toFollow = this.context.after();
		return true;
	}

	private int find(String text) {
		this.unchecked += text.length();
		if (this.unchecked >= OFTEN) {
			this.unchecked = 0;
			this.clock.check();
		}
		this.matcher.reset(TimedText.of(text, this.clock));
		return this.matcher.find() ? this.matcher.start() : -1;
	}

	private boolean isAscii(int next) {
		for (int i = this.position; i < next; i++) {
			if (this.buffer[i] < 0) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Skips lines that do not match. Some of them may be context of a preceding match.
	 * @param toTheEnd whether no line after them has a number
	 */
	private void passOver(int end, boolean toTheEnd) {
		while (this.position < end && this.toFollow > 0) {
			int next = lineEnd(end);
			follow(next);
			this.number++;
			this.position = next;
		}
		if (this.sink.wantsLines() && !toTheEnd) {
			this.number += ByteCount.of((byte) '\n', this.buffer, this.position, end);
		}
		this.position = Math.max(this.position, end);
	}

	private void follow(int next) {
		if (this.toFollow > 0) {
			this.toFollow--;
			this.sink.context(this.number, text(this.position, next), next - this.position);
		}
	}

	/**
	 * Adds the context lines before the current line that were not added yet.
	 */
	private void precede() {
		int[] starts = new int[this.context.before()];
		int count = 0;
		for (int start = this.position; count < starts.length && start > this.floor
				&& this.number - count - 1 > this.sink.lastNumber();) {
			start--;
			while (start > this.floor && this.buffer[start - 1] != '\n') {
				start--;
			}
			starts[count++] = start;
		}
		for (int i = count - 1; i >= 0; i--) {
			int end = (i > 0) ? starts[i - 1] : this.position;
			this.sink.context(this.number - i - 1, text(starts[i], end), end - starts[i]);
		}
	}

	/**
	 * Returns a line without its line end.
	 */
	private String text(int from, int next) {
		int end = next;
		if (end > from && this.buffer[end - 1] == '\n') {
			end--;
			if (end > from && this.buffer[end - 1] == '\r' && !this.pattern.seesCarriageReturns()) {
				end--;
			}
		}
		return LineText.decode(this.buffer, from, end);
	}

	private int lineEnd(int to) {
		for (int i = this.position; i < to; i++) {
			if (this.buffer[i] == '\n') {
				return i + 1;
			}
		}
		return to;
	}

}
