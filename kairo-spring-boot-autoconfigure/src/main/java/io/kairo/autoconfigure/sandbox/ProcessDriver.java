package io.kairo.autoconfigure.sandbox;

import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.SandboxDriver;
import io.kairo.sandbox.process.LocalProcessSandbox;

/**
 * Creates the sandboxes of type {@code process}.
 */
final class ProcessDriver implements SandboxDriver {

	@Override
	public String type() {
		return "process";
	}

	/**
	 * {@inheritDoc} A network that is to be restricted is refused afterwards, with all
	 * other requirements.
	 */
	@Override
	public BackendSandbox create(CommandSettings settings) {
		return new LocalProcessSandbox(settings.with((changes) -> changes.network(null)));
	}

}
