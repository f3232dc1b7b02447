package io.kairo.autoconfigure.tools;

import java.util.List;

/**
 * Tools of one tenant.
 *
 * @param enabled Names of the tools that the tenant may call, instead of those of
 * kairo.tools.enabled; * for all tools.
 */
public record TenantToolProperties(List<String> enabled) {

	/**
	 * Creates the properties.
	 */
	public TenantToolProperties {
		enabled = List.copyOf(enabled);
	}

}
