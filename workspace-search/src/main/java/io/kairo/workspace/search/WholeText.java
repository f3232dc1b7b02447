package io.kairo.workspace.search;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import com.google.re2j.Matcher;

/**
 * A text in which matches may span lines. For use by one thread.
 */
final class WholeText {

	private final String text;

	private final Matcher matcher;

	private final SearchClock clock;

	/** The starts of the lines, and the end of the text. */
	private final int[] starts;

	WholeText(String text, CompiledPattern pattern, Matcher matcher, SearchClock clock) {
		this.text = pattern.seesCarriageReturns() ? text : text.replace("\r\n", "\n");
		this.matcher = matcher;
		this.clock = clock;
		this.starts = starts(this.text);
	}

	void search(LineContext context, LineSink sink) {
		int searched = 0; // number of lines that are done
		int toFollow = 0;
		this.matcher.reset(TimedText.of(this.text, this.clock));
		for (int from = 0; from <= this.text.length() && !sink.isFull() && this.matcher.find(from);) {
			this.clock.check();
			int first = lineOf(this.matcher.start());
			int last = Math.max(first, lineOf(Math.max(this.matcher.start(), this.matcher.end() - 1)));
			if (first >= lines()) {
				break; // an empty match after the last line
			}
			for (; searched < first && toFollow > 0; searched++, toFollow--) {
				context(searched, sink);
			}
			for (int line = Math.max(first - context.before(), (int) sink.lastNumber()); line < first; line++) {
				context(line, sink);
			}
			for (int line = Math.max(first, searched); line <= last; line++) {
				int start = (line == first) ? this.matcher.start() - this.starts[line] : 0;
				sink.match(line + 1, line(line), start, bytes(line));
				toFollow = context.after();
			}
			searched = Math.max(searched, last + 1);
			from = (this.matcher.end() > this.matcher.start()) ? this.matcher.end() : this.matcher.end() + 1;
		}
		for (; searched < lines() && toFollow > 0; searched++, toFollow--) {
			context(searched, sink);
		}
	}

	private void context(int line, LineSink sink) {
		if (line >= sink.lastNumber()) {
			sink.context(line + 1, line(line), bytes(line));
		}
	}

	private int lines() {
		return this.starts.length - 1;
	}

	private int lineOf(int position) {
		int found = Arrays.binarySearch(this.starts, position);
		return (found >= 0) ? found : -found - 2;
	}

	private String line(int line) {
		int end = this.starts[line + 1];
		return this.text.substring(this.starts[line],
				(end > this.starts[line] && this.text.charAt(end - 1) == '\n') ? end - 1 : end);
	}

	private int bytes(int line) {
		return this.text.substring(this.starts[line], this.starts[line + 1]).getBytes(StandardCharsets.UTF_8).length;
	}

	private static int[] starts(String text) {
		int[] starts = new int[16];
		int count = 1;
		for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
			starts = (count + 1 < starts.length) ? starts : Arrays.copyOf(starts, starts.length * 2);
			starts[count++] = end + 1;
		}
		if (starts[count - 1] < text.length()) {
			starts[count++] = text.length();
		}
		return Arrays.copyOf(starts, count);
	}

}
