package io.kairo.autoconfigure.sandbox;

import io.kairo.sandbox.microvm.MicroVmOptions;

/**
 * Customizes the options of the auto-configured sandbox of virtual machines. Beans of
 * this type are applied in their order, at start-up, after the properties below
 * {@code kairo.sandbox}.
 */
@FunctionalInterface
public interface MicroVmOptionsCustomizer {

	/**
	 * Customizes the options.
	 * @param options the options from the properties and earlier customizers
	 * @return the options to use
	 */
	MicroVmOptions customize(MicroVmOptions options);

}
