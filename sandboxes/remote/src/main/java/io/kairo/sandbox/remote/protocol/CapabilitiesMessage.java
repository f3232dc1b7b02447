package io.kairo.sandbox.remote.protocol;

import java.util.List;
import java.util.Map;

/**
 * The capabilities of a worker. Names that a client does not know are to be ignored.
 * Immutable.
 *
 * @param backend the name of the sandbox of the worker
 * @param enforced the names of the enforced capabilities
 * @param reasons explanations by the names of capabilities
 * @param sharedDirectories the directories that the commands of a session share; null
 * becomes empty
 */
public record CapabilitiesMessage(String backend, List<String> enforced, Map<String, String> reasons,
		List<String> sharedDirectories) {

	/**
	 * Creates the message.
	 * @param backend the name of the sandbox
	 * @param enforced the names of the enforced capabilities
	 * @param reasons the reasons by name
	 * @param sharedDirectories the directories of a session; null becomes empty
	 * @throws IllegalArgumentException if one of them is missing
	 */
	@SuppressWarnings("NullAway") // another program may have answered
	public CapabilitiesMessage {
		sharedDirectories = (sharedDirectories != null) ? List.copyOf(sharedDirectories) : List.of();
		if (backend == null || enforced == null || reasons == null) {
			throw new IllegalArgumentException(
					"Capabilities have the name of a sandbox, what it enforces, and reasons: give all of them");
		}
	}

}
