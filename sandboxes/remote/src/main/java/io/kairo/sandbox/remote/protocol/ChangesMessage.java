package io.kairo.sandbox.remote.protocol;

import org.jspecify.annotations.Nullable;

/**
 * The changes of a command in the copies of its directories. Immutable.
 *
 * @param ready whether they are known; otherwise ask again
 * @param changes the SHA-256 of the {@link CopyLine lines} with the changes, null before
 * that
 * @param size the size of these lines in bytes; 0 if there are no changes
 */
public record ChangesMessage(boolean ready, @Nullable String changes, long size) {

	/** The answer before they are known. */
	public static final ChangesMessage PENDING = new ChangesMessage(false, null, 0);

}
