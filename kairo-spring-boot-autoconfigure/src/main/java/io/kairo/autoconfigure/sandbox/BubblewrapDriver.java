package io.kairo.autoconfigure.sandbox;

import io.kairo.boot.PropertyBounds;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.SandboxCustomizer;
import io.kairo.sandbox.backend.SandboxDriver;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions.UnixSockets;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.StringUtils;

/**
 * Creates the sandboxes of type {@code bubblewrap}.
 *
 * @param properties the configuration
 * @param customizers the customizers of the options
 */
record BubblewrapDriver(BubblewrapProperties properties,
		ObjectProvider<SandboxCustomizer<BubblewrapOptions.Builder>> customizers) implements SandboxDriver {

	private static final PropertyBounds BOUNDS = new PropertyBounds(SandboxProperties.PREFIX + "bubblewrap.");

	@Override
	public String type() {
		return "bubblewrap";
	}

	@Override
	public BackendSandbox create(CommandSettings settings) {
		if (this.properties.unixSockets() && settings.allowList() != null) {
			throw BOUNDS.invalid("unix-sockets", true,
					"a socket in the workspace bypasses kairo.sandbox.network-allow; set it to false");
		}
		String runAs = this.properties.runAs();
		CommandSettings readable = BOUNDS.parse("read-only-paths", this.properties.readOnlyPaths(),
				() -> settings.with((changes) -> changes.readOnlyPaths(this.properties.readOnlyPaths())));
		CommandSettings commands = BOUNDS.parse("run-as", runAs, () -> readable
			.with((changes) -> changes.runAs(StringUtils.hasText(runAs) ? HostUser.parse(runAs) : null)));
		return new BubblewrapSandbox(BubblewrapOptions.DEFAULTS.with((options) -> {
			options.executable(this.properties.executable())
				.unixSockets(this.properties.unixSockets() ? UnixSockets.ALLOWED : UnixSockets.DENIED)
				.commands(commands)
				.idleTimeout(this.properties.idleTimeout())
				.maxIdle(this.properties.maxIdle());
			this.customizers.orderedStream().forEach((customizer) -> customizer.customize(options));
		}));
	}

}
