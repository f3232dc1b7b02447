package io.kairo.governance.audit;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.kairo.host.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of a chain: the hash of a record includes the hash of the record before it,
 * and the name that the sink gives the chain, so that no chain can be put in place of one
 * with another name. With a key the hashes are HMACs and cannot be computed without it;
 * without a key, a process that can write the records can also compute the chain anew.
 * Immutable and safe for use by several threads.
 */
public final class HashChain {

	private static final String HMAC = "HmacSHA256";

	private static final int MAX_NAME = 64;

	private final @Nullable SecretKeySpec key;

	private final String name;

	/**
	 * Creates plain hashes.
	 */
	public HashChain() {
		this(null, "");
	}

	/**
	 * Creates hashes with a key.
	 * @param key the key, copied
	 * @throws IllegalArgumentException if the key has fewer than 16 bytes
	 */
	public HashChain(byte[] key) {
		if (key.length < 16) {
			throw new IllegalArgumentException(
					"The key of the audit has " + key.length + " bytes: it must have at least 16");
		}
		this.key = new SecretKeySpec(key, HMAC);
		this.name = "";
	}

	private HashChain(@Nullable SecretKeySpec key, String name) {
		this.key = key;
		this.name = name;
	}

	/**
	 * Returns the hashes of a chain with a name. Each hash includes the name.
	 * @param sink the name of the sink
	 * @param name the name of the chain, 1 to 64 characters without control characters
	 * @return the hashes
	 * @throws IllegalArgumentException if the name is invalid
	 */
	public HashChain named(String sink, String name) {
		if (name.isBlank() || name.length() > MAX_NAME || name.chars().anyMatch(Character::isISOControl)) {
			throw new IllegalArgumentException("The name '" + name
					+ "' of the chain is invalid: it must have 1 to 64 characters, none of them a control character");
		}
		return new HashChain(this.key, sink + ":" + name);
	}

	/**
	 * Returns whether the hashes are computed with a key.
	 */
	boolean hasKey() {
		return this.key != null;
	}

	/**
	 * Returns the head of a chain after a record.
	 * @param before the head before the record
	 * @param record the record in JSON
	 * @return the head after it
	 */
	public ChainHead next(ChainHead before, String record) {
		return new ChainHead(before.sequence() + 1, hash(before.sequence() + 1, before.hash(), record));
	}

	/**
	 * Returns the hash of a record.
	 * @param sequence the number of the record
	 * @param previous the hash of the record before it
	 * @param record the record in JSON
	 * @return 64 lower-case hexadecimal digits
	 */
	String hash(long sequence, String previous, String record) {
		return HexFormat.of()
			.formatHex(digest(
					(this.name + "\n" + sequence + "\n" + previous + "\n" + record).getBytes(StandardCharsets.UTF_8)));
	}

	/**
	 * Compares hashes in a time that does not depend on where they differ.
	 */
	static boolean isSame(String hash, String other) {
		return MessageDigest.isEqual(hash.getBytes(StandardCharsets.US_ASCII),
				other.getBytes(StandardCharsets.US_ASCII));
	}

	private byte[] digest(byte[] content) {
		if (this.key == null) {
			return Sha256.digest().digest(content);
		}
		try {
			Mac mac = Mac.getInstance(HMAC);
			mac.init(this.key);
			return mac.doFinal(content);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
