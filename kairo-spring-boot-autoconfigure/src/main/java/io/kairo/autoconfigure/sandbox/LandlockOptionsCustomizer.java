package io.kairo.autoconfigure.sandbox;

import io.kairo.sandbox.landlock.LandlockOptions;

/**
 * Customizes the options of the auto-configured sandbox {@code landlock}. Beans of this
 * type are applied in their order, at start-up, after the properties below
 * {@code kairo.sandbox}.
 */
@FunctionalInterface
public interface LandlockOptionsCustomizer {

	/**
	 * Customizes the options.
	 * @param options the options from the properties and earlier customizers
	 * @return the options to use
	 */
	LandlockOptions customize(LandlockOptions options);

}
