package io.kairo.governance.audit;

import java.util.regex.Pattern;

/**
 * The last record of a chain: its number and its hash. Immutable.
 *
 * @param sequence the number of the record, 0 before the first one
 * @param hash the hash in 64 lower-case hexadecimal digits
 */
public record ChainHead(long sequence, String hash) {

	private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

	/** The head of a chain without records. */
	public static final ChainHead NONE = new ChainHead(0, "0".repeat(64));

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if the number is negative, or the hash is not one
	 */
	public ChainHead {
		if (sequence < 0) {
			throw new IllegalArgumentException("The number of a record is " + sequence + ": it is at least 0");
		}
		if (!isHash(hash)) {
			throw new IllegalArgumentException(
					"The hash '" + hash + "' is invalid: it has 64 lower-case hexadecimal digits");
		}
	}

	/**
	 * Returns whether a text is a hash.
	 * @param text the text
	 * @return whether it has 64 lower-case hexadecimal digits
	 */
	public static boolean isHash(String text) {
		return HASH.matcher(text).matches();
	}

	/**
	 * Parses a head.
	 * @param text the number and the hash, as {@link #toString()} returns them
	 * @return the head
	 * @throws IllegalArgumentException if the text is not a head
	 */
	public static ChainHead parse(String text) {
		int colon = text.indexOf(':');
		try {
			return new ChainHead(Long.parseLong(text.substring(0, Math.max(0, colon))), text.substring(colon + 1));
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("The head '" + text
					+ "' is invalid: give the number and the hash of a record, such as 12:9f86d0...");
		}
	}

	/**
	 * Returns the number and the hash, separated by a colon.
	 */
	@Override
	public String toString() {
		return this.sequence + ":" + this.hash;
	}

}
