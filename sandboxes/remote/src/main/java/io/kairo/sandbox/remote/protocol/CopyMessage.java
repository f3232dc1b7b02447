package io.kairo.sandbox.remote.protocol;

/**
 * A copy of directories, for the command that is started with the same number. Immutable.
 *
 * @param tenant the tenant, the same as for the command
 * @param manifest the SHA-256 of the manifest: {@link CopyLine lines} for everything that
 * is copied
 * @param size the size of the manifest in bytes
 */
public record CopyMessage(String tenant, String manifest, long size) {

	/** The largest manifest, and the longest list of changes, in bytes. */
	public static final long MOST_BYTES = 64 << 20;

	/**
	 * Creates the message.
	 * @param tenant the tenant
	 * @param manifest the SHA-256 of the manifest
	 * @param size the size of the manifest in bytes
	 * @throws IllegalArgumentException if one of them is missing or out of its range
	 */
	@SuppressWarnings("NullAway") // a client may leave out anything
	public CopyMessage {
		if (tenant == null) {
			throw new IllegalArgumentException("The tenant is missing: give it");
		}
		Piece.requireHash(manifest);
		if (size <= 0 || size > MOST_BYTES) {
			throw new IllegalArgumentException(
					"The manifest has " + size + " bytes: it must have from 1 to " + MOST_BYTES);
		}
	}

}
