package io.kairo.autoconfigure.sandbox;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for the sandbox of one tenant.
 *
 * @param type Type of the sandbox of this tenant; none to disable commands. All other
 * properties below kairo.sandbox apply to it as well.
 * @since 0.1.0
 */
public record TenantSandboxProperties(@DefaultValue("auto") SandboxType type) {

	/**
	 * Creates the properties.
	 * @param type the type of the sandbox of this tenant
	 */
	public TenantSandboxProperties {
	}

}
