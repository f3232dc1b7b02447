package io.kairo.workspace.s3;

import org.jspecify.annotations.Nullable;

/**
 * The server-side encryption of written objects. Immutable.
 *
 * @param kind the kind
 * @param kmsKey the ID or ARN of the key of the key management service, null for its
 * default key and for other kinds
 */
public record S3Encryption(Kind kind, @Nullable String kmsKey) {

	/** The encryption that the bucket is configured for. */
	public static final S3Encryption BUCKET_DEFAULT = new S3Encryption(Kind.BUCKET_DEFAULT, null);

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if there is a key, but the kind has none
	 */
	public S3Encryption {
		if (kmsKey != null && kind != Kind.KMS) {
			throw new IllegalArgumentException("There is a key, but the encryption is " + kind + ": use KMS");
		}
	}

	/**
	 * The kind of an encryption.
	 */
	public enum Kind {

		/** As the bucket is configured. */
		BUCKET_DEFAULT,

		/** Keys of the object store (SSE-S3, AES-256). */
		S3,

		/** A key of the key management service (SSE-KMS). */
		KMS

	}

}
