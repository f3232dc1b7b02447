package io.kairo.sandbox.remote.protocol;

import java.nio.ByteBuffer;

/**
 * The frames of the stream of output: a byte with the type, four bytes with the length,
 * the most significant first, and the content.
 */
public final class Frame {

	/** Bytes of the output. */
	public static final byte STDOUT = 1;

	/** Bytes of the error output. */
	public static final byte STDERR = 2;

	/** Nothing: the stream is alive. */
	public static final byte ALIVE = 3;

	/** An {@link EndMessage}, the last frame. */
	public static final byte END = 4;

	/**
	 * Eight bytes, the most significant first: the number of bytes of output that have
	 * been discarded so far.
	 */
	public static final byte DISCARDED = 5;

	/** The number of bytes before the content. */
	public static final int HEADER = 5;

	/** The most bytes of the content. */
	public static final int MOST_BYTES = 1 << 20;

	private Frame() {
	}

	/**
	 * Creates a frame.
	 * @param type the type
	 * @param content an array with the content
	 * @param offset the offset of the content
	 * @return the frame
	 */
	public static byte[] of(byte type, byte[] content, int offset) {
		int length = content.length - offset;
		return ByteBuffer.allocate(HEADER + length).put(type).putInt(length).put(content, offset, length).array();
	}

}
