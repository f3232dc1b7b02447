package io.kairo.sandbox.microvm;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * A piece of the conversation with the agent of a machine, see {@code agent.c}.
 *
 * @param kind the letter for its kind
 * @param id the number of a command, or of a connection to the proxy
 * @param payload the payload, not copied
 */
record Frame(char kind, int id, byte[] payload) {

	private static final int HEADER = Byte.BYTES + 2 * Integer.BYTES;

	/** Maximum number of bytes of output or input in one frame. */
	static final int MOST_DATA = 32 * 1024;

	/** Maximum number of bytes of the last directory of a command. */
	private static final int MOST_REPORT = 16 * 1024;

	/** Number of bytes before the last directory of a command. */
	static final int END_BYTES = 4 * Integer.BYTES + Long.BYTES;

	/**
	 * Creates a frame with a number as payload.
	 */
	static Frame of(char kind, int id, int number) {
		return new Frame(kind, id, ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
	}

	/**
	 * Creates a frame without a payload.
	 */
	static Frame of(char kind, int id) {
		return new Frame(kind, id, new byte[0]);
	}

	/**
	 * Reads a frame of the agent. The agent is not trusted.
	 * @return the frame, or null at the end of the stream
	 * @throws GuestProtocolException if no agent sends such a frame
	 * @throws IOException if the stream cannot be read, or ends within a frame
	 */
	static @Nullable Frame read(InputStream stream) throws IOException {
		byte[] header = stream.readNBytes(HEADER);
		if (header.length == 0) {
			return null;
		}
		if (header.length < HEADER) {
			throw new EOFException("The virtual machine ended within a message");
		}
		ByteBuffer fields = ByteBuffer.wrap(header);
		char kind = (char) (fields.get() & 0xff);
		int id = fields.getInt();
		int length = fields.getInt();
		requirePossible(kind, length);
		byte[] payload = stream.readNBytes(length);
		if (payload.length < length) {
			throw new EOFException("The virtual machine ended within a message");
		}
		return new Frame(kind, id, payload);
	}

	private static void requirePossible(char kind, int length) throws GuestProtocolException {
		boolean possible = switch (kind) {
			case 'H', 'G', 'L', 'c' -> length == Integer.BYTES;
			case 'R', 'B', 'g', 'f', 'q' -> length == 0;
			case 'O', 'W', 'd' -> length >= 1 && length <= MOST_DATA;
			case 'N' -> length >= 0 && length <= MOST_REPORT;
			case 'X' -> length >= END_BYTES && length <= END_BYTES + MOST_REPORT;
			default -> throw new GuestProtocolException("a message of the unknown kind " + (int) kind);
		};
		if (!possible) {
			throw new GuestProtocolException(
					"a message of the kind '" + kind + "' with " + Integer.toUnsignedString(length) + " bytes");
		}
	}

	/**
	 * Returns the frame as it is sent.
	 */
	byte[] toBytes() {
		return ByteBuffer.allocate(HEADER + this.payload.length)
			.put((byte) this.kind)
			.putInt(this.id)
			.putInt(this.payload.length)
			.put(this.payload)
			.array();
	}

	/**
	 * Returns the payload as a number. The agent sends it without a sign.
	 * @throws GuestProtocolException if the number is above the bound
	 */
	int number(int bound) throws GuestProtocolException {
		int number = ByteBuffer.wrap(this.payload).getInt();
		if (number < 0 || number > bound) {
			throw new GuestProtocolException("the number " + Integer.toUnsignedString(number)
					+ " in a message of the kind '" + this.kind + "', above " + bound);
		}
		return number;
	}

	/**
	 * Returns the payload as a short text of printable ASCII characters.
	 */
	String text() {
		return printable(new String(this.payload, StandardCharsets.ISO_8859_1));
	}

	/**
	 * Returns a text of a machine without characters that could be mistaken for something
	 * else.
	 */
	static String printable(String text) {
		String clean = text.replaceAll("[^!-~]+", " ").strip();
		return (clean.length() <= 300) ? clean : "... " + clean.substring(clean.length() - 300);
	}

}
