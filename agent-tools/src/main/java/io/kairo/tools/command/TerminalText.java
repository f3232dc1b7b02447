package io.kairo.tools.command;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * A converter from terminal output to the text that a person would see: bytes are decoded
 * as UTF-8 across chunk borders, escape sequences and other control characters are
 * dropped, and a line that is overwritten after carriage returns, as by progress bars,
 * appears in its last state. For use by one thread.
 *
 * @see <a href=
 * "https://ecma-international.org/publications-and-standards/standards/ecma-48/">ECMA-48</a>
 */
final class TerminalText {

	/**
	 * Maximum length of a line; longer lines are passed on in parts that cannot be
	 * overwritten any more.
	 */
	private static final int MAX_LINE = 64 * 1024;

	/**
	 * Maximum width of a line that only cursor movements extend: a wide terminal.
	 */
	private static final int COLUMNS = 512;

	/** Number of blanks that each character read allows cursor movements to add. */
	private static final int BLANKS_PER_CHARACTER = 16;

	/** Maximum number of blanks allowed at once. */
	private static final int MAX_BLANKS = 64 * 1024;

	/** Maximum length of a control string; longer ones end here. */
	private static final int MAX_STRING = 4096;

	/** Maximum length of a parameter; longer ones are ignored. */
	private static final int MAX_DIGITS = 6;

	private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder()
		.onMalformedInput(CodingErrorAction.REPLACE)
		.onUnmappableCharacter(CodingErrorAction.REPLACE);

	private final IntConsumer sink;

	private byte[] undecoded = new byte[0];

	private State state = State.TEXT;

	/** Parameters of the current escape sequence, at most 16 characters. */
	private final StringBuilder parameters = new StringBuilder();

	private int stringLength;

	private int[] line = new int[256];

	private int length;

	private int cursor;

	private int blanks = MAX_BLANKS;

	private char highSurrogate;

	/**
	 * Creates a text.
	 * @param sink receives the code points that a person would see
	 */
	TerminalText(IntConsumer sink) {
		this.sink = sink;
	}

	void write(byte[] bytes) {
		decode(bytes, false);
	}

	/**
	 * Passes on the rest. To be called once, after the last bytes.
	 */
	void end() {
		decode(new byte[0], true);
		flushLine();
	}

	/**
	 * Returns the line that has not ended yet, or the end of it.
	 * @param count the maximum number of characters
	 */
	String line(int count) {
		int shown = Math.min(count, this.length);
		return new String(this.line, this.length - shown, shown);
	}

	private void decode(byte[] bytes, boolean last) {
		byte[] input = Arrays.copyOf(this.undecoded, this.undecoded.length + bytes.length);
		System.arraycopy(bytes, 0, input, this.undecoded.length, bytes.length);
		ByteBuffer in = ByteBuffer.wrap(input);
		CharBuffer out = CharBuffer.allocate(input.length + 1);
		this.decoder.decode(in, out, last);
		this.undecoded = Arrays.copyOfRange(input, in.position(), input.length);
		out.flip();
		while (out.hasRemaining()) {
			character(out.get());
		}
	}

	private void character(char c) {
		if (Character.isHighSurrogate(c)) {
			this.highSurrogate = c;
		}
		else if (Character.isLowSurrogate(c)) {
			codePoint(Character.toCodePoint(this.highSurrogate, c));
		}
		else {
			codePoint(c);
		}
	}

	private void codePoint(int c) {
		this.blanks = Math.min(this.blanks + BLANKS_PER_CHARACTER, MAX_BLANKS);
		switch (this.state) {
			case TEXT -> text(c);
			case ESCAPE -> escape(c);
			case CONTROL_SEQUENCE -> controlSequence(c);
			case STRING, STRING_ESCAPE -> string(c);
			case INTERMEDIATE -> this.state = (c >= 0x30) ? State.TEXT : State.INTERMEDIATE;
		}
	}

	private void text(int c) {
		switch (c) {
			case '\n' -> {
				flushLine();
				this.sink.accept('\n');
			}
			case '\r' -> this.cursor = 0;
			case '\b' -> this.cursor = Math.max(0, this.cursor - 1);
			case 0x1B -> this.state = State.ESCAPE;
			case 0x9B -> startControlSequence();
			case 0x90, 0x98, 0x9D, 0x9E, 0x9F -> startString();
			default -> {
				if (c == '\t' || (!Character.isISOControl(c) && !isDirectionControl(c))) {
					draw(c);
				}
			}
		}
	}

	private void escape(int c) {
		switch (c) {
			case '[' -> startControlSequence();
			case ']', 'P', 'X', '^', '_' -> startString();
			default -> this.state = (c >= 0x20 && c < 0x30) ? State.INTERMEDIATE : State.TEXT;
		}
	}

	/**
	 * Skips the text of a control string. A line feed ends it too, so that an
	 * unterminated one does not swallow the rest.
	 */
	private void string(int c) {
		if (c == '\n') {
			this.state = State.TEXT;
			text(c);
		}
		else if (c == 0x07 || c == 0x9C || c == 0x18 || c == 0x1A || ++this.stringLength > MAX_STRING
				|| (this.state == State.STRING_ESCAPE && c == '\\')) {
			this.state = State.TEXT;
		}
		else {
			this.state = (c == 0x1B) ? State.STRING_ESCAPE : State.STRING;
		}
	}

	private void startString() {
		this.stringLength = 0;
		this.state = State.STRING;
	}

	private void startControlSequence() {
		this.parameters.setLength(0);
		this.state = State.CONTROL_SEQUENCE;
	}

	private void controlSequence(int c) {
		if (c >= 0x40 && c <= 0x7E) {
			this.state = State.TEXT;
			control(c);
		}
		else if (c < 0x20 || c > 0x7E) {
			// a malformed sequence ends here
			this.state = State.TEXT;
			text(c);
		}
		else if (this.parameters.length() < 16) {
			this.parameters.append((char) c);
		}
	}

	private void control(int c) {
		switch (c) {
			case 'K', 'J' -> eraseInLine();
			case 'C' -> this.cursor = Math.min(this.cursor + parameter(1), Math.max(this.length, COLUMNS - 1));
			case 'G' -> this.cursor = Math.min(Math.max(parameter(1) - 1, 0), this.length);
			case 'D' -> this.cursor = Math.max(this.cursor - parameter(1), 0);
			default -> {
			}
		}
	}

	private void eraseInLine() {
		int mode = parameter(0);
		if (mode == 0) {
			this.length = Math.min(this.length, this.cursor);
		}
		else if (mode == 2) {
			this.length = 0;
			this.cursor = 0;
		}
	}

	private int parameter(int defaultValue) {
		if (this.parameters.isEmpty() || this.parameters.length() > MAX_DIGITS) {
			return defaultValue;
		}
		int value = 0;
		for (int i = 0; i < this.parameters.length(); i++) {
			int digit = this.parameters.charAt(i) - '0';
			if (digit < 0 || digit > 9) {
				return defaultValue;
			}
			value = 10 * value + digit;
		}
		return value;
	}

	private void draw(int c) {
		this.cursor = Math.min(this.cursor, this.length + this.blanks);
		this.blanks -= Math.max(this.cursor - this.length, 0);
		if (this.cursor >= this.line.length) {
			this.line = Arrays.copyOf(this.line, 2 * this.cursor);
		}
		while (this.length < this.cursor) {
			this.line[this.length++] = ' ';
		}
		this.line[this.cursor++] = c;
		this.length = Math.max(this.length, this.cursor);
		if (this.length >= MAX_LINE) {
			flushLine();
		}
	}

	private void flushLine() {
		for (int i = 0; i < this.length; i++) {
			this.sink.accept(this.line[i]);
		}
		this.length = 0;
		this.cursor = 0;
	}

	/**
	 * Returns whether a character disguises text by changing its direction.
	 */
	private static boolean isDirectionControl(int c) {
		return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
	}

	private enum State {

		TEXT, ESCAPE, CONTROL_SEQUENCE, INTERMEDIATE, STRING, STRING_ESCAPE

	}

}
