package io.kairo.tools.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The bytes of a whole text file, and where its lines are in them. Lines are numbered
 * from 0 here, and what follows the last line feed is a line too. For use by one thread;
 * the bytes are not copied and must not change.
 */
public final class EditableText {

	private final byte[] bytes;

	private final TextEncoding encoding;

	private int @Nullable [] starts;

	/** The position that was found last, so that those after it are found from there. */
	private int knownLine = -1;

	private int knownColumn;

	private int knownOffset;

	public EditableText(byte[] bytes, TextEncoding encoding) {
		this.bytes = bytes;
		this.encoding = encoding;
	}

	public byte[] bytes() {
		return this.bytes;
	}

	public TextEncoding encoding() {
		return this.encoding;
	}

	public Charset charset() {
		return this.encoding.charset();
	}

	/**
	 * Returns the whole text without a byte order mark.
	 */
	public String text() {
		return decode(this.encoding.bomLength(), this.bytes.length);
	}

	public int lineCount() {
		return starts().length;
	}

	/**
	 * Returns a line without its line feed; a carriage return before that is part of it.
	 */
	public String line(int line) {
		return decode(start(line), end(line));
	}

	/**
	 * Returns the line that a byte is in.
	 */
	public int lineAt(int offset) {
		int found = Arrays.binarySearch(starts(), offset);
		return (found >= 0) ? found : -found - 2;
	}

	/**
	 * Returns the byte at which a character of a line starts.
	 * @param line the line
	 * @param column how many characters of the line come before it
	 */
	public int offset(int line, int column) {
		int start = start(line);
		if (column == 0) {
			return start;
		}
		CharsetDecoder decoder = charset().newDecoder()
			.onMalformedInput(CodingErrorAction.REPLACE)
			.onUnmappableCharacter(CodingErrorAction.REPLACE);
		if (decoder.maxCharsPerByte() == 1.0f && decoder.averageCharsPerByte() == 1.0f
				&& !charset().equals(StandardCharsets.UTF_8)) {
			return Math.min(start + column, end(line)); // the line may be shorter
		}
		boolean known = line == this.knownLine && column >= this.knownColumn;
		int from = known ? this.knownOffset : start;
		int passed = known ? this.knownColumn : 0;
		ByteBuffer in = ByteBuffer.wrap(this.bytes, from, end(line) - from);
		CharBuffer out = CharBuffer.allocate(column - passed);
		decoder.decode(in, out, true);
		if (!charset().name().contains("ISO-2022")) { // what has shifts has to start over
			this.knownLine = line;
			this.knownColumn = passed + out.position();
			this.knownOffset = in.position();
		}
		return in.position();
	}

	/**
	 * Returns how the line ends that a byte is in; where that is the last one, how the
	 * one before it ends.
	 * @return the end, null if the text has one line without end
	 */
	public @Nullable LineEnd lineEnd(int offset) {
		int line = lineAt(offset);
		if (line == lineCount() - 1) {
			line--;
		}
		if (line < 0) {
			return null;
		}
		return endsWithReturn(end(line), start(line)) ? LineEnd.CRLF : LineEnd.LF;
	}

	/**
	 * Returns whether the character before a byte is a carriage return.
	 * @param offset the byte
	 * @param from where the text starts that counts
	 */
	public boolean endsWithReturn(int offset, int from) {
		int unit = unit();
		return offset - unit >= from && isUnit(offset - unit, '\r');
	}

	public int start(int line) {
		return starts()[line];
	}

	/**
	 * Returns how many bytes a line feed has.
	 */
	public int unit() {
		String name = charset().name();
		return name.startsWith("UTF-32") ? 4 : name.startsWith("UTF-16") ? 2 : 1;
	}

	private int end(int line) {
		return (line + 1 < lineCount()) ? start(line + 1) - unit() : this.bytes.length;
	}

	private boolean isUnit(int offset, int character) {
		int unit = unit();
		int last = charset().name().endsWith("LE") ? offset : offset + unit - 1;
		for (int i = offset; i < offset + unit; i++) {
			if (this.bytes[i] != ((i == last) ? character : 0)) {
				return false;
			}
		}
		return true;
	}

	private String decode(int from, int to) {
		return new String(this.bytes, from, to - from, charset());
	}

	private int[] starts() {
		int[] starts = this.starts;
		if (starts == null) {
			starts = findStarts();
			this.starts = starts;
		}
		return starts;
	}

	private int[] findStarts() {
		int unit = unit();
		int bom = this.encoding.bomLength();
		byte[] all = this.bytes;
		int[] found = new int[64 + all.length / 32];
		int count = 0;
		found[count++] = bom;
		for (int i = bom + unit - 1; i < all.length; i += unit) {
			if ((unit == 1) ? all[i] == '\n' : isUnit(i - unit + 1, '\n')) {
				if (count == found.length) {
					found = Arrays.copyOf(found, 2 * count);
				}
				found[count++] = i + 1;
			}
		}
		return Arrays.copyOf(found, count);
	}

}
