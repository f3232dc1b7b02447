package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.search.MatchedLine.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Collects the matches of one file, up to the number of results needed. For use by one
 * thread.
 */
final class LineSink {

	/** Maximum number of characters of the results that a search keeps, approximately. */
	static final int MAX_CHARACTERS = 8 << 20;

	private final GrepOutput output;

	private final int needed;

	private final int maxCharacters;

	private final List<MatchedLine> lines = new ArrayList<>();

	private long count;

	private long lastNumber;

	private long characters;

	LineSink(GrepOutput output, int needed, int maxCharacters) {
		this.output = output;
		this.needed = needed;
		this.maxCharacters = maxCharacters;
	}

	/**
	 * Returns whether no more lines of the file are needed.
	 */
	boolean isFull() {
		return switch (this.output) {
			case FILES -> this.count > 0;
			case COUNTS -> false;
			case LINES -> this.lines.size() >= this.needed || this.characters >= MAX_CHARACTERS;
		};
	}

	boolean wantsLines() {
		return this.output == GrepOutput.LINES;
	}

	/**
	 * Returns whether a line is too long to be shown as a whole.
	 */
	boolean cuts(String text) {
		return text.length() > this.maxCharacters;
	}

	/**
	 * Returns the number of the last line that was added, 0 if there is none.
	 */
	long lastNumber() {
		return this.lastNumber;
	}

	void match(long number, String text, int matchStart, int bytes) {
		this.count++;
		add(number, Kind.MATCH, text, matchStart, bytes);
	}

	void context(long number, String text, int bytes) {
		add(number, Kind.CONTEXT, text, 0, bytes);
	}

	@Nullable FileMatches result(WorkspacePath path) {
		return (this.count > 0) ? new FileMatches(path, this.count, this.lines) : null;
	}

	private void add(long number, Kind kind, String text, int matchStart, int bytes) {
		this.lastNumber = number;
		if (!wantsLines() || isFull()) {
			return;
		}
		boolean whole = !cuts(text);
		String shown = whole ? text : cut(text, matchStart);
		this.characters += shown.length();
		this.lines.add(new MatchedLine(number, kind, shown, whole ? 0 : bytes));
	}

	/**
	 * Returns the part of a line with the beginning of the match, with an ellipsis where
	 * text is omitted.
	 */
	private String cut(String text, int matchStart) {
		int from = (matchStart > this.maxCharacters * 3 / 4)
				? Math.min(matchStart - this.maxCharacters / 4, text.length() - this.maxCharacters) : 0;
		int to = from + this.maxCharacters;
		from += (from > 0 && Character.isLowSurrogate(text.charAt(from))) ? 1 : 0;
		to -= (to < text.length() && Character.isLowSurrogate(text.charAt(to))) ? 1 : 0;
		return ((from > 0) ? "…" : "") + text.substring(from, to) + ((to < text.length()) ? "…" : "");
	}

}
