package io.kairo.sandbox.docker.autoconfigure;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.boot.PropertyBounds;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.SandboxCustomizer;
import io.kairo.sandbox.backend.SandboxDriver;
import io.kairo.sandbox.docker.DockerOptions;
import io.kairo.sandbox.docker.DockerSandbox;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.StringUtils;

/**
 * Creates the sandboxes of type {@code docker}.
 *
 * @param properties the configuration
 * @param customizers the customizers of the options
 */
record DockerDriver(DockerProperties properties,
		ObjectProvider<SandboxCustomizer<DockerOptions.Builder>> customizers) implements SandboxDriver {

	@Override
	public String type() {
		return "docker";
	}

	@Override
	public @Nullable String missing() {
		return StringUtils.hasText(this.properties.image()) ? null
				: "kairo.sandbox.docker.image; set it to an image of the engine, such as agents:1.0, "
						+ "that has a POSIX shell and perl";
	}

	@Override
	public BackendSandbox create(CommandSettings settings) {
		DockerProperties docker = this.properties;
		String runAs = docker.runAs();
		CommandSettings commands = new PropertyBounds("kairo.sandbox.docker.").parse("run-as", runAs, () -> settings
			.with((changes) -> changes.runAs(StringUtils.hasText(runAs) ? HostUser.parse(runAs) : null)));
		return new DockerSandbox(DockerOptions.of(Objects.requireNonNull(docker.image(), "image")).with((options) -> {
			options.pull(docker.pull())
				.host(docker.host())
				.workspaces(docker.workspaces())
				.maxCopyBytes(docker.maxCopySize().toBytes())
				.pathMappings(mappings(docker.pathMappings()))
				.runtime(StringUtils.hasText(docker.runtime()) ? docker.runtime() : null)
				.mode(docker.mode())
				.idleTimeout(docker.idleTimeout())
				.maxIdle(docker.maxIdle())
				.lease(docker.lease())
				.commands(commands);
			this.customizers.orderedStream().forEach((customizer) -> customizer.customize(options));
		}));
	}

	private static Map<Path, Path> mappings(List<String> mappings) {
		Map<Path, Path> sources = new HashMap<>();
		for (String mapping : mappings) {
			int colon = mapping.indexOf(':');
			sources.put(Path.of(mapping.substring(colon + 1)).normalize(), Path.of(mapping.substring(0, colon)));
		}
		return sources;
	}

}
