package io.kairo.sandbox.support.transcript;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Decodes UTF-8 piece by piece: a character that a piece cuts comes with the next one,
 * what is malformed becomes U+FFFD.
 */
final class Utf8Text {

	/** The most bytes of a character that can be missing its last one. */
	static final int MOST_PENDING = 3;

	private static final int FIRST_LEAD_BYTE = 0xc2;

	private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder()
		.onMalformedInput(CodingErrorAction.REPLACE)
		.onUnmappableCharacter(CodingErrorAction.REPLACE);

	private byte[] pending = new byte[0];

	/**
	 * Starts in the middle of a text.
	 * @param before the last bytes before, {@value #MOST_PENDING} of them if there are as
	 * many. A lead byte always begins a character, so the last one among them is where an
	 * incomplete character begins, if there is one
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
	 * Decodes what is complete.
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
	 * Decodes what will not be completed.
	 */
	String finish() {
		String rest = (this.pending.length > 0) ? "\ufffd" : "";
		this.pending = new byte[0];
		return rest;
	}

}
