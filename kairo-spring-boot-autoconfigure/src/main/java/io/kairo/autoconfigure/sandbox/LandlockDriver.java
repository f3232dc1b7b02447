package io.kairo.autoconfigure.sandbox;

import io.kairo.boot.PropertyBounds;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.SandboxDriver;
import io.kairo.sandbox.landlock.LandlockSandbox;
import org.jspecify.annotations.Nullable;

/**
 * Creates the sandboxes of type {@code landlock}.
 *
 * @param properties the configuration
 */
record LandlockDriver(LandlockProperties properties) implements SandboxDriver {

	@Override
	public String type() {
		return "landlock";
	}

	@Override
	public @Nullable BackendProblem unsupported(CommandSettings settings) {
		if (settings.allowList() != null) {
			return unsupported("kairo.sandbox.network is allow-list, which needs a network namespace");
		}
		return (settings.tmpfsBytes() != null)
				? unsupported("kairo.sandbox.limits.tmpfs-size is set, which needs a mount namespace") : null;
	}

	private static BackendProblem unsupported(String finding) {
		return new BackendProblem("Landlock", "unsupported", finding,
				"use bubblewrap or Docker, or remove the property");
	}

	@Override
	public BackendSandbox create(CommandSettings settings) {
		return new LandlockSandbox(
				new PropertyBounds(SandboxProperties.PREFIX + "landlock.").parse("read-only-paths",
						this.properties.readOnlyPaths(),
						() -> settings.with((changes) -> changes.readOnlyPaths(this.properties.readOnlyPaths()))),
				this.properties.idleTimeout(), this.properties.maxIdle());
	}

}
