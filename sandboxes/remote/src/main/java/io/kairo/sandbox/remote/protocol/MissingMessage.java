package io.kairo.sandbox.remote.protocol;

import java.util.List;

/**
 * The contents that a worker needs before a command can start with a copy. Immutable.
 *
 * @param missing the SHA-256 of contents to send before asking again, not necessarily all
 * of them; null becomes empty
 * @param ready whether nothing is missing and the directories are there; otherwise ask
 * again
 */
public record MissingMessage(List<String> missing, boolean ready) {

	/**
	 * Creates the message.
	 * @param missing the SHA-256 of contents to send; null becomes empty
	 * @param ready whether the directories are there
	 */
	@SuppressWarnings("NullAway") // a worker may leave out anything
	public MissingMessage {
		missing = (missing != null) ? List.copyOf(missing) : List.of();
	}

}
