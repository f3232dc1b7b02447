package io.kairo.tools.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * The bytes of a whole text file with an index of its lines. Lines are numbered from 0,
 * and the text after the last line feed is a line too. For use by one thread; the bytes
 * are not copied and must not change.
 */
public final class EditableText {

	private final byte[] bytes;

	private final TextEncoding encoding;

	private @Nullable LineIndex index;

	/** The last known position, the start of the search for later ones. */
	private int knownLine = -1;

	private int knownColumn;

	private int knownOffset;

	/**
	 * Creates a text.
	 * @param bytes the bytes of the file, with their byte order mark
	 * @param encoding the encoding of the file
	 */
	public EditableText(byte[] bytes, TextEncoding encoding) {
		this.bytes = bytes;
		this.encoding = encoding;
	}

	/**
	 * Returns the bytes of the file.
	 * @return the bytes; not copied
	 */
	public byte[] bytes() {
		return this.bytes;
	}

	/**
	 * Returns the encoding of the file.
	 * @return the encoding
	 */
	public TextEncoding encoding() {
		return this.encoding;
	}

	/**
	 * Returns the charset of the file.
	 * @return the charset
	 */
	public Charset charset() {
		return this.encoding.charset();
	}

	/**
	 * Returns the whole text without a byte order mark.
	 * @return the text
	 */
	public String text() {
		return decode(this.encoding.bomLength(), this.bytes.length);
	}

	/**
	 * Returns the number of lines.
	 * @return the number, at least 1
	 */
	public int lineCount() {
		return index().count();
	}

	/**
	 * Returns a line without its line feed. A carriage return before it is kept.
	 * @param line the number of the line, from 0
	 * @return the line
	 */
	public String line(int line) {
		return decode(start(line), end(line));
	}

	/**
	 * Returns the beginning of a line, without its line feed.
	 * @param line the number of the line, from 0
	 * @param characters the number of characters to return at least, if there are as many
	 * @return the beginning, at most four times as long; its last character may be
	 * incomplete
	 */
	public String line(int line, int characters) {
		int start = start(line);
		return decode(start, (int) Math.min(end(line), start + 4L * characters));
	}

	/**
	 * Returns the number of the line that a byte belongs to.
	 * @param offset the offset of the byte
	 * @return the number, from 0
	 */
	public int lineAt(int offset) {
		return index().lineAt(offset);
	}

	/**
	 * Returns the start offset of a character of a line.
	 * @param line the number of the line, from 0
	 * @param column the index of the character in the line
	 * @return the offset in bytes
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
		if (!charset().name().contains("ISO-2022")) { // shifts need a fresh start
			this.knownLine = line;
			this.knownColumn = passed + out.position();
			this.knownOffset = in.position();
		}
		return in.position();
	}

	/**
	 * Returns the end of the line that a byte belongs to; for the last line, the end of
	 * the line before it.
	 * @param offset the offset of the byte
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
	 * Returns the end that most lines have.
	 * @return the end, null if the text has one line without end
	 */
	public @Nullable LineEnd lineEnd() {
		int lineFeeds = lineCount() - 1;
		int pairs = 0;
		int start = start(0);
		for (int i = 1; i <= lineFeeds; i++) {
			int next = start(i);
			pairs += endsWithReturn(next - unit(), start) ? 1 : 0;
			start = next;
		}
		if (lineFeeds == 0) {
			return null;
		}
		return (pairs > lineFeeds - pairs) ? LineEnd.CRLF : LineEnd.LF;
	}

	/**
	 * Returns whether the character before a byte is a carriage return.
	 * @param offset the offset of the byte
	 * @param from the start offset of the text
	 * @return true if it is
	 */
	public boolean endsWithReturn(int offset, int from) {
		int unit = unit();
		return offset - unit >= from && index().isAt(offset - unit, '\r');
	}

	/**
	 * Returns the start offset of a line.
	 * @param line the number of the line, from 0
	 * @return the offset in bytes
	 */
	public int start(int line) {
		return index().start(line);
	}

	/**
	 * Returns the length of a line feed in bytes.
	 * @return 1, 2 or 4
	 */
	public int unit() {
		String name = charset().name();
		return name.startsWith("UTF-32") ? 4 : name.startsWith("UTF-16") ? 2 : 1;
	}

	private int end(int line) {
		return (line + 1 < lineCount()) ? start(line + 1) - unit() : this.bytes.length;
	}

	private String decode(int from, int to) {
		return new String(this.bytes, from, to - from, charset());
	}

	private LineIndex index() {
		LineIndex known = this.index;
		if (known == null) {
			known = new LineIndex(this.bytes, this.encoding.bomLength(), unit(), charset().name().endsWith("LE"));
			this.index = known;
		}
		return known;
	}

}
