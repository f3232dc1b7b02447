package io.kairo.tools.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.mozilla.universalchardet.UniversalDetector;

/**
 * The encoding of a text file.
 *
 * @param charset the charset
 * @param bomLength the length of the byte order mark in bytes, 0 without one
 */
public record TextEncoding(Charset charset, int bomLength) {

	/** UTF-8 without a byte order mark, as new files have it. */
	public static final TextEncoding UTF_8 = new TextEncoding(StandardCharsets.UTF_8, 0);

	private static final int CHUNK = 8192;

	private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

	private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

	private static final Charset UTF_32BE = Charset.forName("UTF-32BE");

	private static final Charset UTF_32LE = Charset.forName("UTF-32LE");

	private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");

	/**
	 * Detects the encoding from the beginning of a file: by its byte order mark, else
	 * UTF-8 where the bytes allow it, else by the frequency of characters.
	 * @param start the first bytes
	 * @param whole whether these are all bytes of the file
	 * @return the encoding; windows-1252 if no other charset fits
	 */
	public static TextEncoding detect(byte[] start, boolean whole) {
		if (startsWith(start, 0xEF, 0xBB, 0xBF)) {
			return new TextEncoding(StandardCharsets.UTF_8, 3);
		}
		if (startsWith(start, 0x00, 0x00, 0xFE, 0xFF)) {
			return new TextEncoding(UTF_32BE, 4);
		}
		if (startsWith(start, 0xFF, 0xFE, 0x00, 0x00)) {
			return new TextEncoding(UTF_32LE, 4);
		}
		if (startsWith(start, 0xFE, 0xFF)) {
			return new TextEncoding(StandardCharsets.UTF_16BE, 2);
		}
		if (startsWith(start, 0xFF, 0xFE)) {
			return new TextEncoding(StandardCharsets.UTF_16LE, 2);
		}
		return new TextEncoding(isUtf8(start, whole) ? StandardCharsets.UTF_8 : guess(start), 0);
	}

	/**
	 * Returns whether a line feed is one byte that is part of no other character.
	 * @return false for UTF-16 and UTF-32
	 */
	public boolean hasByteLines() {
		return !this.charset.name().startsWith("UTF-16") && !this.charset.name().startsWith("UTF-32");
	}

	/**
	 * Returns whether the bytes of a character never occur within other characters, as
	 * long as a search keeps to whole units of UTF-16 and UTF-32.
	 * @return true if text can be searched as bytes
	 */
	public boolean isSelfSynchronizing() {
		return this.charset.name().startsWith("UTF-") || this.charset.newEncoder().maxBytesPerChar() == 1.0f;
	}

	/**
	 * Encodes a text, without a byte order mark.
	 * @param text the text
	 * @return the bytes, null if the charset does not have all its characters
	 */
	public byte @Nullable [] encodeOrNull(String text) {
		long length = encodedLength(text);
		if (length < 0) {
			return null;
		}
		ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(length));
		encode(text, bytes, () -> {
		});
		return bytes.array();
	}

	/**
	 * Returns the length of a text in bytes, without a byte order mark. Takes no memory.
	 * @param text the text
	 * @return the length, -1 if the charset does not have all its characters
	 */
	public long encodedLength(CharSequence text) {
		ByteBuffer chunk = ByteBuffer.allocate(Math.min(CHUNK, 16 + 4 * Math.min(CHUNK, text.length())));
		AtomicLong length = new AtomicLong();
		boolean whole = encode(text, chunk, () -> {
			length.addAndGet(chunk.position());
			chunk.clear();
		});
		return whole ? length.get() + chunk.position() : -1;
	}

	/**
	 * Encodes a text.
	 * @param overflow makes room in the bytes
	 * @return whether the charset has all characters
	 */
	private boolean encode(CharSequence text, ByteBuffer bytes, Runnable overflow) {
		CharsetEncoder encoder = this.charset.newEncoder()
			.onMalformedInput(CodingErrorAction.REPORT)
			.onUnmappableCharacter(CodingErrorAction.REPORT);
		CharBuffer characters = CharBuffer.wrap(text);
		CoderResult result = encoder.encode(characters, bytes, true);
		for (; result.isOverflow(); result = encoder.encode(characters, bytes, true)) {
			overflow.run();
		}
		if (result.isError()) {
			return false;
		}
		while (encoder.flush(bytes).isOverflow()) {
			overflow.run();
		}
		return true;
	}

	/**
	 * Puts the byte order mark of the file before a text.
	 * @param text the encoded text
	 * @return the bytes of the file; the text itself if the file has no mark
	 */
	public byte[] withByteOrderMark(byte[] text) {
		if (this.bomLength == 0) {
			return text;
		}
		byte[] mark = "\uFEFF".getBytes(this.charset);
		byte[] bytes = Arrays.copyOf(mark, mark.length + text.length);
		System.arraycopy(text, 0, bytes, mark.length, text.length);
		return bytes;
	}

	private static boolean isUtf8(byte[] start, boolean whole) {
		CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder()
			.onMalformedInput(CodingErrorAction.REPORT)
			.onUnmappableCharacter(CodingErrorAction.REPORT);
		int ascii = asciiLength(start);
		ByteBuffer bytes = ByteBuffer.wrap(start, ascii, start.length - ascii);
		CharBuffer characters = CharBuffer.allocate(CHUNK);
		// the last character may be cut, unless the sample is the whole file
		CoderResult result = decoder.decode(bytes, characters, whole);
		while (result.isOverflow()) {
			characters.clear();
			result = decoder.decode(bytes, characters, whole);
		}
		return !result.isError();
	}

	/**
	 * Returns the number of bytes before the first byte that is not ASCII.
	 */
	private static int asciiLength(byte[] bytes) {
		int length = 0;
		while (length <= bytes.length - Long.BYTES && ((long) LONG.get(bytes, length) & HIGH_BITS) == 0) {
			length += Long.BYTES;
		}
		while (length < bytes.length && bytes[length] >= 0) {
			length++;
		}
		return length;
	}

	/**
	 * Guesses the charset among the multi-byte ones, since these are distinct enough.
	 * Guesses among single-byte charsets are wrong too often, and such text is mostly
	 * windows-1252.
	 */
	private static Charset guess(byte[] start) {
		UniversalDetector detector = new UniversalDetector();
		detector.handleData(start);
		detector.dataEnd();
		String name = detector.getDetectedCharset();
		if (name != null && Charset.isSupported(name)) {
			Charset guessed = Charset.forName(name);
			if (guessed.newEncoder().maxBytesPerChar() > 1) {
				return guessed;
			}
		}
		return WINDOWS_1252;
	}

	private static boolean startsWith(byte[] start, int... prefix) {
		byte[] bytes = new byte[prefix.length];
		for (int i = 0; i < prefix.length; i++) {
			bytes[i] = (byte) prefix[i];
		}
		return start.length >= bytes.length && Arrays.equals(start, 0, bytes.length, bytes, 0, bytes.length);
	}

}
