package io.kairo.autoconfigure.sandbox;

import io.kairo.sandbox.remote.RemoteSandboxOptions;

/**
 * Customizes the options of the auto-configured remote sandbox. Beans of this type are
 * applied in their order, at start-up, after the properties below {@code kairo.sandbox}.
 */
@FunctionalInterface
public interface RemoteSandboxOptionsCustomizer {

	/**
	 * Customizes the options.
	 * @param options the options from the properties and earlier customizers
	 * @return the options to use
	 */
	RemoteSandboxOptions customize(RemoteSandboxOptions options);

}
