package io.kairo.sandbox.remote.protocol;

import java.util.List;

/**
 * Contents that a client wants. Immutable.
 *
 * @param contents the contents, in sending order
 */
public record WantedMessage(List<Content> contents) {

	/**
	 * Creates the message.
	 * @param contents the contents
	 * @throws IllegalArgumentException if they are missing
	 */
	@SuppressWarnings("NullAway") // a client may leave out anything
	public WantedMessage {
		if (contents == null) {
			throw new IllegalArgumentException("The contents are missing: give a list");
		}
		contents = List.copyOf(contents);
	}

	/**
	 * A content.
	 *
	 * @param sha256 its SHA-256
	 * @param from number of bytes to leave out
	 */
	public record Content(String sha256, long from) {

		/**
		 * Creates the value.
		 * @throws IllegalArgumentException if it is no SHA-256, or the number is negative
		 */
		public Content {
			Piece.requireHash(sha256);
			if (from < 0) {
				throw new IllegalArgumentException("The position is " + from + ": it must not be negative");
			}
		}

	}

}
