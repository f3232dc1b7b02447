package io.kairo.host;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 hashes as lower-case hexadecimal digits.
 */
public final class Sha256 {

	private Sha256() {
	}

	/**
	 * Returns a new digest, for content that is hashed in parts.
	 * @return the digest
	 */
	public static MessageDigest digest() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	/**
	 * Returns the hash of a content.
	 * @param content the content
	 * @return 64 digits
	 */
	public static String hex(byte[] content) {
		return HexFormat.of().formatHex(digest().digest(content));
	}

	/**
	 * Returns the beginning of the hash of a text in UTF-8, as a name for a file.
	 * @param text the text
	 * @param bytes the number of bytes of the hash to keep, at most 32
	 * @return two digits for each byte
	 */
	public static String hex(String text, int bytes) {
		return HexFormat.of().formatHex(digest().digest(text.getBytes(StandardCharsets.UTF_8)), 0, bytes);
	}

}
