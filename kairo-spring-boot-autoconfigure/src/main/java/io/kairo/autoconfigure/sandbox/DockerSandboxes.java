package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.docker.DockerOptions;
import io.kairo.sandbox.docker.DockerSandbox;
import io.kairo.sandbox.support.proxy.RequestRules;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * The configured sandboxes of type {@code docker}. Not loaded unless one is configured,
 * since the classes of Docker are optional.
 */
final class DockerSandboxes extends SandboxesOfType<DockerSandbox> {

	private final Path stateDirectory;

	private final Duration shutdownGrace;

	private final ObjectProvider<DockerOptionsCustomizer> customizers;

	private final ObjectProvider<RequestRules> rules;

	DockerSandboxes(Path stateDirectory, Duration shutdownGrace, ObjectProvider<DockerOptionsCustomizer> customizers,
			ObjectProvider<RequestRules> rules) {
		this.stateDirectory = stateDirectory;
		this.shutdownGrace = shutdownGrace;
		this.customizers = customizers;
		this.rules = rules;
	}

	@Override
	protected DockerSandbox create(SandboxProperties properties) {
		DockerOptions options = this.customizers.orderedStream()
			.reduce(options(properties), (each, next) -> next.customize(each), (first, last) -> last);
		return (properties.network() == NetworkAccess.ALLOW_LIST)
				? new DockerSandbox(options, allowList(properties, this.rules)) : new DockerSandbox(options);
	}

	@Override
	protected @Nullable Problem test(DockerSandbox sandbox) {
		BackendProblem problem = sandbox.problem();
		return (problem != null) ? new Problem(problem.toString(), problem.toException()) : null;
	}

	@Override
	protected void close(DockerSandbox sandbox) {
		sandbox.close();
	}

	private DockerOptions options(SandboxProperties properties) {
		DockerProperties docker = properties.docker();
		DockerOptions options = DockerOptions.of(Objects.requireNonNull(docker.image(), "image"))
			.withPull(DockerOptions.Pull.valueOf(docker.pull().name()))
			.withHost(docker.host())
			.withWorkspaces(DockerOptions.Workspaces.valueOf(docker.workspaces().name()),
					docker.maxCopySize().toBytes())
			.withPathMappings(mappings(docker.pathMappings()))
			.withRuntime(StringUtils.hasText(docker.runtime()) ? docker.runtime() : null)
			.withMode(DockerOptions.Mode.valueOf(docker.mode().name()))
			.withIdleTimeout(docker.idleTimeout())
			.withMaxIdle(docker.maxIdle())
			.withLease(docker.lease())
			.withInheritEnv(properties.inheritEnv())
			.withDirectory(this.stateDirectory.resolve("sandbox"))
			.withHiddenPaths(List.of(this.stateDirectory))
			.withShutdownGrace(this.shutdownGrace)
			.withLimits(limits(properties));
		DataSize size = properties.limits().tmpfsSize();
		try {
			options = (size != null) ? options.withTmpfsBytes(size.toBytes()) : options;
		}
		catch (IllegalArgumentException ex) {
			throw invalid("limits.tmpfs-size", size, ex);
		}
		try {
			return options.withRunAs(user(docker.runAs()));
		}
		catch (IllegalArgumentException ex) {
			throw invalid("docker.run-as", docker.runAs(), ex);
		}
	}

	private static Map<Path, Path> mappings(List<String> mappings) {
		Map<Path, Path> sources = new HashMap<>();
		for (String mapping : mappings) {
			int colon = mapping.indexOf(':');
			sources.put(Path.of(mapping.substring(colon + 1)).normalize(), Path.of(mapping.substring(0, colon)));
		}
		return sources;
	}

	/**
	 * Returns the user that commands run as, null for that of the application or the
	 * owner of the workspace.
	 */
	private static @Nullable HostUser user(@Nullable String runAs) {
		return StringUtils.hasText(runAs) ? HostUser.parse(runAs) : null;
	}

}
