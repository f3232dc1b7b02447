package io.kairo.tools.file;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import io.kairo.tools.text.Gutter;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.search.ByteCount;
import org.jspecify.annotations.Nullable;

/**
 * A range of lines, or of characters of one line, collected from the bytes of a file in
 * order, together with the number of all lines. Holds no more than the range and one
 * line, independently of the size of the file. For use by one thread.
 */
final class LineWindow {

	private final Charset charset;

	private final long firstLine;

	private final int maxLines;

	/** The first character of a range of characters, 0 for whole lines. */
	private final long firstCharacter;

	private final int maxLineCharacters;

	private final ReadOptions options;

	private final UnaryOperator<String> form;

	/** Upper bound for the bytes that are needed of a line. */
	private final int maxLineBytes;

	private final List<String> lines = new ArrayList<>();

	private final ByteArrayOutputStream line = new ByteArrayOutputStream();

	private long lineLength;

	/** Characters of the line so far, in a range of characters. */
	private long lineCharacters;

	/** Lines that have ended. */
	private long endedLines;

	private int cutLines;

	/** The first line that was cut, 0 for none. */
	private long firstCutLine;

	/** The character to continue with, 0 if the line has no more. */
	private long nextCharacter;

	private int escapedLines;

	private int characters;

	private boolean full;

	private boolean windowsLineEnds;

	private boolean replacedBytes;

	private boolean countedToEnd;

	private @Nullable String stop;

	/**
	 * Creates a range.
	 * @param charset the charset of the bytes, UTF-8 for a range of characters
	 * @param form makes the shown form of a line
	 */
	LineWindow(Charset charset, LineRange range, ReadOptions options, UnaryOperator<String> form) {
		this.form = form;
		this.charset = charset;
		this.firstLine = range.firstLine();
		this.maxLines = range.maxLines(options);
		this.firstCharacter = range.firstCharacter();
		this.maxLineCharacters = range.maxLineCharacters(options);
		this.options = options;
		this.maxLineBytes = 4 * (this.maxLineCharacters + 1);
	}

	void add(byte[] bytes) {
		int position = 0;
		while (position < bytes.length) {
			position = inRange() ? addLine(bytes, position) : pass(bytes, position);
		}
	}

	/**
	 * Takes a line of the range, or the part of it that is there.
	 * @return the offset to continue at
	 */
	private int addLine(byte[] bytes, int from) {
		for (int i = from; i < bytes.length; i++) {
			if (bytes[i] == '\n') {
				keep(bytes, from, i);
				endLine(true);
				return i + 1;
			}
		}
		keep(bytes, from, bytes.length);
		return bytes.length;
	}

	/**
	 * Counts lines outside of the range, most of the work in a large file.
	 * @return the offset to continue at: the beginning of the range, or the end
	 */
	private int pass(byte[] bytes, int from) {
		long linesLeft = this.full ? Long.MAX_VALUE : this.firstLine - 1 - this.endedLines;
		long lines = ByteCount.of((byte) '\n', bytes, from, bytes.length);
		int start = bytes.length;
		if (lines < linesLeft) {
			while (start > from && bytes[start - 1] != '\n') {
				start--;
			}
		}
		else {
			start = from;
			for (lines = 0; lines < linesLeft; start++) {
				lines += (bytes[start] == '\n') ? 1 : 0;
			}
		}
		this.endedLines += lines;
		int end = (lines < linesLeft) ? bytes.length : start;
		this.lineLength = (lines > 0) ? end - start : this.lineLength + end - start;
		return end;
	}

	/**
	 * Ends the last line, when it has no line feed. To be called after the last bytes.
	 */
	void end() {
		if (this.lineLength > 0) {
			endLine(false);
		}
		this.countedToEnd = true;
	}

	/**
	 * Ends the range before the end of the file. The beginning of an unfinished line is
	 * added to the range. Has no effect on a full range.
	 * @param bound the bound that was reached
	 */
	void stop(String bound) {
		if (this.full) {
			return;
		}
		this.stop = bound;
		if (inRange() && this.lineLength > 0) {
			addLine(false);
		}
		this.full = false;
	}

	/**
	 * Returns the bound that ended an incomplete range, null if there is none.
	 */
	@Nullable String stopped() {
		return this.stop;
	}

	/**
	 * Returns the number of bytes so far of the line that has not ended.
	 */
	long lineLength() {
		return this.lineLength;
	}

	/**
	 * Returns whether the range is complete, so that only counting is left.
	 */
	boolean full() {
		return this.full;
	}

	List<String> lines() {
		return this.lines;
	}

	/**
	 * Returns the number of lines so far.
	 */
	long countedLines() {
		return this.endedLines;
	}

	/**
	 * Returns whether {@link #countedLines()} is the number of lines of the file.
	 */
	boolean countedToEnd() {
		return this.countedToEnd;
	}

	int cutLines() {
		return this.cutLines;
	}

	/**
	 * Returns the number of the first line that was cut, 0 if there is none.
	 */
	long firstCutLine() {
		return this.firstCutLine;
	}

	/**
	 * Returns the character of the line to continue with after a range of characters, 0
	 * if the line has no more.
	 */
	long nextCharacter() {
		return this.nextCharacter;
	}

	/**
	 * Returns the number of lines that are shown in another form.
	 */
	int escapedLines() {
		return this.escapedLines;
	}

	/**
	 * Returns the bound that ended a full range.
	 */
	String limit() {
		return (this.lines.size() >= this.maxLines) ? Phrase.count(this.maxLines, "line")
				: Phrase.count(this.options.maxCharacters(), "character");
	}

	/**
	 * Returns whether a line of the range ended with carriage return and line feed.
	 */
	boolean windowsLineEnds() {
		return this.windowsLineEnds;
	}

	/**
	 * Returns whether a line of the range has a replacement character.
	 */
	boolean replacedBytes() {
		return this.replacedBytes;
	}

	private boolean inRange() {
		return !this.full && this.endedLines + 1 >= this.firstLine;
	}

	private void keep(byte[] bytes, int from, int to) {
		this.lineLength += to - from;
		if (inRange() && this.firstCharacter > 0) {
			keepCharacters(bytes, from, to);
		}
		else if (inRange()) {
			this.line.write(bytes, from, Math.min(to - from, this.maxLineBytes - this.line.size()));
		}
	}

	/**
	 * Keeps the characters of the range, and one more if the line has it. The line is
	 * added then, since it may be long.
	 */
	private void keepCharacters(byte[] bytes, int from, int to) {
		for (int i = from; i < to; i++) {
			this.lineCharacters += ((bytes[i] & 0xC0) != 0x80) ? 1 : 0;
			if (this.lineCharacters > this.firstCharacter + this.maxLineCharacters) {
				addLine(false);
				return;
			}
			if (this.lineCharacters >= this.firstCharacter) {
				this.line.write(bytes[i]);
			}
		}
	}

	private void endLine(boolean lineFeed) {
		if (inRange()) {
			addLine(lineFeed);
		}
		this.line.reset();
		this.lineLength = 0;
		this.lineCharacters = 0;
		this.endedLines++;
	}

	private void addLine(boolean lineFeed) {
		String text = this.line.toString(this.charset);
		boolean ended = this.firstCharacter > 0 || this.line.size() == this.lineLength;
		if (text.endsWith("\r") && lineFeed && ended) {
			this.windowsLineEnds = true;
			text = text.substring(0, text.length() - 1);
		}
		boolean over = text.codePointCount(0, text.length()) > this.maxLineCharacters;
		if (over) {
			text = text.substring(0, text.offsetByCodePoints(0, this.maxLineCharacters));
		}
		if (this.firstCharacter > 0) {
			text = addCharacters(text, over);
			over = false;
		}
		boolean cut = over || (this.stop != null && this.firstCharacter == 0);
		this.cutLines += cut ? 1 : 0;
		this.firstCutLine = (cut && this.firstCutLine == 0) ? this.endedLines + 1 : this.firstCutLine;
		// checked after the cut, since a cut line may end within a character
		this.replacedBytes |= text.indexOf('\uFFFD') >= 0;
		String shownForm = this.form.apply(text);
		this.escapedLines += shownForm.equals(text) ? 0 : 1;
		text = shownForm;
		if (cut) {
			text += "… [cut: the line has " + ((this.stop != null) ? "at least " : "")
					+ Phrase.of("%,d bytes", this.lineLength) + (over ? Phrase.of("; offset=%d, column=%d reads on]",
							this.endedLines + 1, this.maxLineCharacters + 1) : "]");
		}
		int shown = Gutter.WIDTH + text.length() + 1;
		if (!this.lines.isEmpty() && this.characters + shown > this.options.maxCharacters()) {
			this.full = true;
			return;
		}
		this.characters += shown;
		this.lines.add(text);
		this.full = this.lines.size() >= this.maxLines;
	}

	/**
	 * Reduces a part of a line so that its shown form fits into the result.
	 * @param over whether the line has more
	 */
	private String addCharacters(String text, boolean over) {
		String part = text;
		int count = part.codePointCount(0, part.length());
		while (count > 1 && Gutter.WIDTH + this.form.apply(part).length() + 1 > this.options.maxCharacters()) {
			count /= 2;
			part = part.substring(0, part.offsetByCodePoints(0, count));
		}
		boolean more = over || part.length() < text.length() || (this.stop != null && count > 0);
		this.nextCharacter = more ? this.firstCharacter + count : 0;
		return part;
	}

}
