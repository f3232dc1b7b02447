package io.kairo.autoconfigure.sandbox;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which sandbox was chosen, and why.
 *
 * @param type the kind of sandbox
 * @param reason why it was that one, for people to read
 * @param tenants what was chosen for tenants that have another one, by their ids
 * @since 0.1.0
 */
public record SandboxChoice(SandboxType type, String reason, Map<String, SandboxChoice> tenants) {

	/**
	 * Creates the value.
	 * @param type the kind of sandbox
	 * @param reason why it was that one
	 * @param tenants what was chosen for tenants that have another one, copied
	 */
	public SandboxChoice {
		tenants = Map.copyOf(tenants);
	}

	SandboxChoice(SandboxType type, String reason) {
		this(type, reason, Map.of());
	}

	/**
	 * Describes what was chosen for tenants that have another one.
	 * @return by their ids in order, kind and reason
	 */
	public Map<String, String> describeTenants() {
		return this.tenants.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey,
					(entry) -> entry.getValue().type().spelled() + " (" + entry.getValue().reason() + ")",
					(first, second) -> first, TreeMap::new));
	}

}
