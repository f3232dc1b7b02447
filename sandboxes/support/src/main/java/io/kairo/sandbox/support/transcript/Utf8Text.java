package io.kairo.sandbox.support.transcript;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Decodes UTF-8 incrementally: a character that is split between two pieces comes with
 * the second one, malformed bytes become U+FFFD.
 */
final class Utf8Text {

	/** Maximum number of bytes of an incomplete character. */
	static final int MOST_PENDING = 3;

	private static final int FIRST_LEAD_BYTE = 0xc2;

	private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder()
		.onMalformedInput(CodingErrorAction.REPLACE)
		.onUnmappableCharacter(CodingErrorAction.REPLACE);

	private byte[] pending = new byte[0];

	/**
	 * Starts in the middle of a text.
	 * @param before up to {@value #MOST_PENDING} bytes before the text. A lead byte
	 * always starts a character, so an incomplete character starts at the last lead byte,
	 * if there is one
	 */
	static Utf8Text after(byte[] before) {
		Utf8Text text = new Utf8Text();
		for (int i = before.length - 1; i >= 0; i--) {
			if ((before[i] & 0xff) >= FIRST_LEAD_BYTE) {
				text.decode(before, i, before.length - i);
				break;
			}
		}
		return text;
	}

	/**
	 * Decodes all complete characters.
	 */
	String decode(byte[] data, int offset, int length) {
		ByteBuffer input = ByteBuffer.allocate(this.pending.length + length)
			.put(this.pending)
			.put(data, offset, length)
			.flip();
		CharBuffer output = CharBuffer.allocate(input.remaining() + 1);
		this.decoder.reset().decode(input, output, false);
		this.pending = Arrays.copyOfRange(input.array(), input.position(), input.limit());
		return output.flip().toString();
	}

	/**
	 * Decodes an incomplete character at the end of the text.
	 */
	String finish() {
		String rest = (this.pending.length > 0) ? "\ufffd" : "";
		this.pending = new byte[0];
		return rest;
	}

}
