package io.kairo.sandbox.backend;

import java.util.function.Consumer;

/**
 * Sets the options of a backend. Not safe for use by several threads.
 *
 * @param <B> the type of the builder
 */
public abstract class OptionsBuilder<B extends OptionsBuilder<B>> {

	/** The settings that every backend shares. */
	protected CommandSettings commands;

	/**
	 * Creates a builder.
	 * @param commands the settings that every backend shares
	 */
	protected OptionsBuilder(CommandSettings commands) {
		this.commands = commands;
	}

	/**
	 * Sets the settings that every backend shares.
	 * @param commands the settings
	 * @return this builder
	 */
	@SuppressWarnings("unchecked")
	public final B commands(CommandSettings commands) {
		this.commands = commands;
		return (B) this;
	}

	/**
	 * Changes the settings that every backend shares.
	 * @param changes sets the new values
	 * @return this builder
	 * @throws IllegalArgumentException if the settings refuse a value
	 */
	public final B commands(Consumer<CommandSettings.Builder> changes) {
		return commands(this.commands.with(changes));
	}

}
