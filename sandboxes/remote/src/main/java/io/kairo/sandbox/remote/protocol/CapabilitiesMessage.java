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
 */
public record CapabilitiesMessage(String backend, List<String> enforced, Map<String, String> reasons) {

	/**
	 * Creates the message.
	 * @param backend the name of the sandbox
	 * @param enforced the names of the enforced capabilities
	 * @param reasons the reasons by name
	 * @throws IllegalArgumentException if one of them is missing
	 */
	@SuppressWarnings("NullAway") // another program may have answered
	public CapabilitiesMessage {
		if (backend == null || enforced == null || reasons == null) {
			throw new IllegalArgumentException(
					"Capabilities have the name of a sandbox, what it enforces, and reasons: give all of them");
		}
	}

}
