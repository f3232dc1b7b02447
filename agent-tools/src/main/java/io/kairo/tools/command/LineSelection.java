package io.kairo.tools.command;

import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Passes on the lines of a text that match a filter, and looks for a line. A line of more
 * than {@link #MAX_LINE} characters is examined in parts. For use by one thread at a
 * time.
 */
final class LineSelection {

	/** Maximum length of a line that is examined as a whole. */
	static final int MAX_LINE = 8 * 1024;

	static final Lines ALL = new Lines(null, null);

	private final StringBuilder line = new StringBuilder();

	private final Lines lines;

	private final IntConsumer sink;

	private boolean found;

	/**
	 * Creates a selection.
	 * @param lines the lines to select and to look for
	 * @param sink receives the code points of the selected lines
	 */
	LineSelection(Lines lines, IntConsumer sink) {
		this.lines = lines;
		this.sink = sink;
	}

	void append(int codePoint) {
		if (this.lines.filter() == null && this.lines.awaited() == null) {
			this.sink.accept(codePoint);
			return;
		}
		if (codePoint != '\n') {
			this.line.appendCodePoint(codePoint);
		}
		if (codePoint == '\n' || this.line.length() >= MAX_LINE) {
			line(codePoint == '\n');
		}
	}

	/**
	 * Looks at a line that has not ended, such as a prompt.
	 */
	void look(Supplier<String> unfinished) {
		Predicate<String> awaited = this.lines.awaited();
		if (awaited != null && !this.found) {
			String text = unfinished.get();
			this.found = !text.isEmpty() && awaited.test(text);
		}
	}

	boolean found() {
		return this.found;
	}

	/**
	 * Passes on the last line, with or without a line terminator.
	 */
	void end() {
		if (!this.line.isEmpty()) {
			line(false);
		}
	}

	private void line(boolean terminated) {
		String text = this.line.toString();
		this.line.setLength(0);
		this.found = this.found || (this.lines.awaited() != null && this.lines.awaited().test(text));
		if (this.lines.filter() == null || this.lines.filter().test(text)) {
			text.codePoints().forEach(this.sink);
			if (terminated) {
				this.sink.accept('\n');
			}
		}
	}

	/**
	 * The lines of interest.
	 *
	 * @param filter tests whether a line is selected, null for all lines
	 * @param awaited tests whether the reader waits for a line, null for none
	 */
	record Lines(@Nullable Predicate<String> filter, @Nullable Predicate<String> awaited) {

	}

}
