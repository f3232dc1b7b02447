package io.kairo.autoconfigure.sandbox;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The selected sandbox and the reason for the selection. Immutable.
 * 
 * @param type the type of the sandbox
 * @param reason a readable reason for the selection
 * @param tenants the selections for tenants with another sandbox, by tenant id, copied
 */
public record SandboxChoice(String type, String reason, Map<String, SandboxChoice> tenants) {

	/**
	 * Creates the value.
	 */
	public SandboxChoice {
		tenants = Map.copyOf(tenants);
	}

	SandboxChoice(String type, String reason) {
		this(type, reason, Map.of());
	}

	/**
	 * Describes the selections for tenants with another sandbox.
	 * @return type and reason by tenant id, sorted
	 */
	public Map<String, String> describeTenants() {
		return this.tenants.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey,
					(entry) -> entry.getValue().type() + " (" + entry.getValue().reason() + ")",
					(first, second) -> first, TreeMap::new));
	}

}
