package io.kairo.sandbox.remote.protocol;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * A part of a content: 32 bytes with its SHA-256, eight with the position and four with
 * the length, both with the most significant byte first, and the bytes. Any number of
 * pieces follow each other in a request or response.
 *
 * @param sha256 the SHA-256 of the whole content
 * @param from the number of bytes before this part
 * @param bytes the bytes, not copied
 */
public record Piece(String sha256, long from, ByteBuffer bytes) {

	/** The number of bytes before the content. */
	public static final int HEADER = 44;

	/** The most bytes of all pieces of a request or response, with their headers. */
	public static final int MOST_BYTES = 4 << 20;

	/** The SHA-256 of an empty content. It is never sent. */
	public static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

	private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

	private static final int HASH_BYTES = 32;

	/**
	 * Checks that a text is a SHA-256.
	 * @param sha256 the text
	 * @throws IllegalArgumentException if it is not
	 */
	@SuppressWarnings("NullAway") // the other side may leave out anything
	public static void requireHash(String sha256) {
		if (sha256 == null || !HASH.matcher(sha256).matches()) {
			throw new IllegalArgumentException("'" + sha256 + "' is not a SHA-256: give 64 digits in lower case");
		}
	}

	/**
	 * Writes the header of a piece.
	 * @param target receives it
	 * @param sha256 the SHA-256 of the whole content
	 * @param from the number of bytes before this part
	 * @param length the number of bytes that follow
	 */
	public static void putHeader(ByteBuffer target, String sha256, long from, int length) {
		target.put(HexFormat.of().parseHex(sha256)).putLong(from).putInt(length);
	}

	/**
	 * Reads pieces.
	 * @param body the body of a request or response
	 * @param reader receives each of them
	 * @throws IllegalArgumentException if they are not complete
	 */
	public static void read(byte[] body, Consumer<Piece> reader) {
		ByteBuffer left = ByteBuffer.wrap(body);
		byte[] hash = new byte[HASH_BYTES];
		while (left.hasRemaining()) {
			if (left.remaining() < HEADER) {
				throw new IllegalArgumentException("A content ends within a header: send it completely");
			}
			left.get(hash);
			long from = left.getLong();
			int length = left.getInt();
			if (from < 0 || length < 0 || length > left.remaining()) {
				throw new IllegalArgumentException("A content has " + length + " bytes at " + from + " and "
						+ left.remaining() + " follow: send it completely");
			}
			reader.accept(new Piece(HexFormat.of().formatHex(hash), from, left.slice(left.position(), length)));
			left.position(left.position() + length);
		}
	}

}
