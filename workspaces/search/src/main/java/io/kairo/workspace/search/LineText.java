package io.kairo.workspace.search;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Decodes bytes as UTF-8, or as windows-1252 if they are not valid UTF-8.
 */
final class LineText {

	private static final Charset FALLBACK = Charset.forName("windows-1252");

	private static final int CHUNK = 8192;

	private LineText() {
	}

	static String decode(byte[] bytes, int from, int to) {
		String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
		if (text.indexOf('\uFFFD') < 0) {
			return text;
		}
		return isUtf8(ByteBuffer.wrap(bytes, from, to - from)) ? text : new String(bytes, from, to - from, FALLBACK);
	}

	private static boolean isUtf8(ByteBuffer bytes) {
		CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
		CharBuffer characters = CharBuffer.allocate(Math.min(bytes.remaining(), CHUNK) + 1);
		CoderResult result = decoder.decode(bytes, characters, true);
		while (result.isOverflow()) {
			characters.clear();
			result = decoder.decode(bytes, characters, true);
		}
		return !result.isError();
	}

	/**
	 * Returns the charset of a byte order mark.
	 * @return the charset, or null if there is no mark or if it is the mark of UTF-8
	 */
	static @Nullable Charset wideCharset(byte[] bytes, int count) {
		int first = (count >= 2) ? ((bytes[0] & 0xFF) << 8) | (bytes[1] & 0xFF) : 0;
		int second = (count >= 4) ? ((bytes[2] & 0xFF) << 8) | (bytes[3] & 0xFF) : -1;
		if (first == 0xFFFE) {
			return (second == 0) ? Charset.forName("UTF-32LE") : StandardCharsets.UTF_16LE;
		}
		if (first == 0 && second == 0xFEFF) {
			return Charset.forName("UTF-32BE");
		}
		return (first == 0xFEFF) ? StandardCharsets.UTF_16BE : null;
	}

	/**
	 * Returns the length of the byte order mark of UTF-8, 0 if there is none.
	 */
	static int utf8Mark(byte[] bytes, int count) {
		return (count >= 3 && (bytes[0] & 0xFF) == 0xEF && (bytes[1] & 0xFF) == 0xBB && (bytes[2] & 0xFF) == 0xBF) ? 3
				: 0;
	}

}
