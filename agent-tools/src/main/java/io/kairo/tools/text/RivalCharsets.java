package io.kairo.tools.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The other possible charsets of a text with a guessed charset, if their characters may
 * end with a byte of ASCII. For use by one thread.
 */
public final class RivalCharsets {

	private static final int CHUNK = 8192;

	private static final List<String> NAMES = List.of("GB18030", "Big5", "windows-31j", "x-windows-949");

	private final byte[] bytes;

	private final List<Rival> rivals = new ArrayList<>();

	/**
	 * Creates the charsets that compete with the charset of a text.
	 * @param text the text
	 */
	public RivalCharsets(EditableText text) {
		this.bytes = text.bytes();
		if (!text.charset().name().startsWith("UTF-")) {
			Stream<String> supported = NAMES.stream().filter(Charset::isSupported);
			supported.map(Charset::forName).forEach((charset) -> this.rivals.add(new Rival(charset)));
		}
	}

	/**
	 * Returns a charset that makes all bytes valid and lets a part of the text begin or
	 * end within a character.
	 * @param from the offset of the first byte of the part, not before the part of the
	 * previous call
	 * @param to the offset after the last byte of the part
	 * @return the charset, null if there is none
	 */
	public @Nullable Charset splitting(int from, int to) {
		for (Iterator<Rival> left = this.rivals.iterator(); left.hasNext();) {
			Rival rival = left.next();
			boolean splits = rival.splits(from) || rival.splits(to);
			if (splits && rival.isValid()) {
				return rival.charset;
			}
			if (splits || rival.invalid) {
				left.remove();
			}
		}
		return null;
	}

	/**
	 * A charset, and the part of the text that was decoded in it.
	 */
	private final class Rival {

		private final Charset charset;

		/** The end of the last character that was decoded. */
		private int known;

		private boolean invalid;

		private Rival(Charset charset) {
			this.charset = charset;
		}

		private boolean splits(int offset) {
			decode(offset);
			return this.known < offset;
		}

		private boolean isValid() {
			decode(RivalCharsets.this.bytes.length);
			return !this.invalid && this.known == RivalCharsets.this.bytes.length;
		}

		private void decode(int to) {
			if (this.invalid) {
				return;
			}
			CharsetDecoder decoder = this.charset.newDecoder();
			ByteBuffer in = ByteBuffer.wrap(RivalCharsets.this.bytes, this.known, to - this.known);
			CharBuffer out = CharBuffer.allocate(CHUNK);
			CoderResult result = decoder.decode(in, out, false);
			while (result.isOverflow()) {
				out.clear();
				result = decoder.decode(in, out, false);
			}
			this.known = in.position();
			this.invalid = result.isError();
		}

	}

}
