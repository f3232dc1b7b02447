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
 * A range of lines, collected from the bytes of a file in order, together with the number
 * of all lines. Holds no more than the range and one line, independently of the size of
 * the file. For use by one thread.
 */
final class LineWindow {

	private final Charset charset;

	private final long firstLine;

	private final int maxLines;

	private final ReadOptions options;

	private final UnaryOperator<String> form;

	/** Upper bound for the bytes that are needed of a line. */
	private final int maxLineBytes;

	private final List<String> lines = new ArrayList<>();

	private final ByteArrayOutputStream line = new ByteArrayOutputStream();

	private long lineLength;

	/** Lines that have ended. */
	private long endedLines;

	private int cutLines;

	private int escapedLines;

	private int characters;

	private boolean full;

	private boolean windowsLineEnds;

	private boolean replacedBytes;

	private boolean countedToEnd;

	private @Nullable String stop;

	/**
	 * Creates a range.
	 * @param form makes the shown form of a line
	 */
	LineWindow(Charset charset, long firstLine, int maxLines, ReadOptions options, UnaryOperator<String> form) {
		this.form = form;
		this.charset = charset;
		this.firstLine = firstLine;
		this.maxLines = maxLines;
		this.options = options;
		this.maxLineBytes = 4 * (options.maxLineCharacters() + 1);
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
				endLine(bytes, from, i);
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
			endLine(new byte[0], 0, 0);
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
			addLine();
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
		if (inRange()) {
			this.line.write(bytes, from, Math.min(to - from, this.maxLineBytes - this.line.size()));
		}
	}

	private void endLine(byte[] bytes, int from, int to) {
		keep(bytes, from, to);
		if (inRange()) {
			addLine();
		}
		this.line.reset();
		this.lineLength = 0;
		this.endedLines++;
	}

	private void addLine() {
		String text = this.line.toString(this.charset);
		if (text.endsWith("\r") && this.line.size() == this.lineLength) {
			this.windowsLineEnds = true;
			text = text.substring(0, text.length() - 1);
		}
		boolean over = text.codePointCount(0, text.length()) > this.options.maxLineCharacters();
		boolean cut = over || this.stop != null;
		if (over) {
			text = text.substring(0, text.offsetByCodePoints(0, this.options.maxLineCharacters()));
		}
		this.cutLines += cut ? 1 : 0;
		// checked after the cut, since a cut line may end within a character
		this.replacedBytes |= text.indexOf('\uFFFD') >= 0;
		String shownForm = this.form.apply(text);
		this.escapedLines += shownForm.equals(text) ? 0 : 1;
		text = shownForm;
		if (cut) {
			text += "… [cut: the line has " + ((this.stop != null) ? "at least " : "")
					+ Phrase.of("%,d bytes]", this.lineLength);
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

}
