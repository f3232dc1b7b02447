package io.kairo.autoconfigure.sandbox;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the commands of one tenant run.
 *
 * @param type which sandbox runs the commands of this tenant; none for no commands. What
 * else is set below kairo.sandbox holds for it, too.
 * @since 0.1.0
 */
public record TenantSandboxProperties(@DefaultValue("auto") SandboxType type) {

	/**
	 * Creates the value.
	 * @param type which sandbox runs the commands of this tenant
	 */
	public TenantSandboxProperties {
	}

}
