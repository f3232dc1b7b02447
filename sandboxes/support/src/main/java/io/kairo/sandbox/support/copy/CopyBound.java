package io.kairo.sandbox.support.copy;

import java.io.IOException;

/**
 * The bound on copies in one direction for one command. For use by one thread.
 */
public final class CopyBound {

	private static final int MAX_ENTRIES = 100_000;

	/** Since all names are kept in memory. */
	private static final int MAX_NAME_CHARACTERS = 16 << 20;

	private final long maxBytes;

	private long bytes;

	private int entries;

	private long nameCharacters;

	/**
	 * Creates the bound: 100,000 entries, 16 million characters of their names, and a
	 * number of bytes.
	 * @param maxBytes maximum size of all files
	 */
	public CopyBound(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	/**
	 * Takes an entry into account.
	 * @param size the size of its content in bytes
	 * @param nameCharacters the length of its path and of the target of a link
	 * @throws ExceededException if that is too much
	 */
	public void add(long size, int nameCharacters) throws ExceededException {
		this.entries++;
		this.bytes += size;
		this.nameCharacters += nameCharacters;
		if (this.entries > MAX_ENTRIES) {
			throw new ExceededException("they are more than " + MAX_ENTRIES + " files and directories");
		}
		if (this.nameCharacters > MAX_NAME_CHARACTERS) {
			throw new ExceededException("their names have more than " + MAX_NAME_CHARACTERS + " characters");
		}
		if (size < 0 || this.bytes < 0 || this.bytes > this.maxBytes) {
			throw new ExceededException("they have more than " + this.maxBytes + " bytes");
		}
	}

	/**
	 * Thrown if there is more to copy than allowed.
	 */
	public static final class ExceededException extends IOException {

		private static final long serialVersionUID = 1L;

		ExceededException(String message) {
			super(message);
		}

	}

}
