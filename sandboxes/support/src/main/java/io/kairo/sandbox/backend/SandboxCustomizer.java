package io.kairo.sandbox.backend;

/**
 * Customizes the auto-configured sandboxes beyond the properties below
 * {@code kairo.sandbox}. Beans of this type are applied at start-up, in their order:
 * beans for {@link io.kairo.sandbox.backend.CommandSettings.Builder} to every sandbox,
 * the others to the sandboxes with such options.
 *
 * @param <B> the builder of the options
 */
@FunctionalInterface
public interface SandboxCustomizer<B> {

	/**
	 * Customizes the options.
	 * @param options the options from the properties and earlier customizers, to be
	 * changed
	 */
	void customize(B options);

}
