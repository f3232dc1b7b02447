package io.kairo.sandbox.docker.autoconfigure;

import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Pattern;

import io.kairo.boot.PropertyBounds;
import io.kairo.sandbox.docker.DockerOptions.Mode;
import io.kairo.sandbox.docker.DockerOptions.Pull;
import io.kairo.sandbox.docker.DockerOptions.Workspaces;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the Docker sandbox.
 *
 * @param image Image of the containers, by name or digest, required by this sandbox.
 * @param pull Whether a missing image is pulled, at start-up. It is never pulled by a
 * command.
 * @param host Address of the engine, such as unix:///var/run/docker.sock. By default,
 * that of the environment variable DOCKER_HOST, otherwise the usual one.
 * @param workspaces Whether directories are mounted into containers or, for an engine
 * that does not see the files of the application, copied into them and back.
 * @param maxCopySize Maximum size of the files that are copied for one command, in each
 * direction.
 * @param pathMappings Directories of the engine's machine and the paths at which the
 * application sees them, such as /srv/agents:/workspaces, if the application runs in a
 * container. By default, the mounts of that container, as the engine knows them.
 * @param runtime Name of the runtime of the engine, such as runsc. By default, the one
 * that the engine uses.
 * @param mode Use of a container: one command after another of the same session, or a
 * single command.
 * @param idleTimeout Time without a command after which a container is removed.
 * @param maxIdle Maximum number of containers without a command; 0 to keep none.
 * @param lease Time after which a container ends if it hears nothing from the
 * application, at least 3s.
 * @param runAs User that commands run as: a name, uid or uid:gid. By default, the user of
 * the application or, if that is root, the owner of the workspace. Directories that Kairo
 * creates for commands as root belong to it.
 */
@ConfigurationProperties("kairo.sandbox.docker")
public record DockerProperties(@Nullable String image, @DefaultValue("never") Pull pull, @Nullable URI host,
		@DefaultValue("auto") Workspaces workspaces, @DefaultValue("1GB") DataSize maxCopySize,
		@DefaultValue List<String> pathMappings, @Nullable String runtime, @DefaultValue("session") Mode mode,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("5m") Duration idleTimeout, @DefaultValue("16") int maxIdle,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("30s") Duration lease, @Nullable String runAs) {

	private static final Pattern MAPPING = Pattern.compile("/[^:]*:/[^:]*");

	private static final PropertyBounds BOUNDS = new PropertyBounds("kairo.sandbox.docker.");

	private static final Duration LEAST_LEASE = Duration.ofSeconds(3);

	/**
	 * Creates and validates the properties.
	 * @param maxCopySize the maximum size of the files to copy, above zero
	 * @param pathMappings the directories of the engine's machine, copied
	 * @param idleTimeout the time after which an idle container is removed, above zero
	 * @param maxIdle the maximum number of idle containers, at least 0
	 * @param lease the time after which a container ends without the application, at
	 * least 3 seconds
	 */
	public DockerProperties {
		if (host != null && !List.of("unix", "tcp").contains(String.valueOf(host.getScheme()))) {
			throw BOUNDS.invalid("host", host,
					"it must start with unix:// or tcp://, such as unix:///var/run/docker.sock");
		}
		BOUNDS.positive("max-copy-size", maxCopySize)
			.positive("idle-timeout", idleTimeout)
			.atLeast("max-idle", maxIdle, 0)
			.atLeast("lease", lease, LEAST_LEASE);
		pathMappings = List.copyOf(pathMappings);
		for (String mapping : pathMappings) {
			if (!MAPPING.matcher(mapping).matches()) {
				throw BOUNDS.invalid("path-mappings", mapping,
						"it must be an absolute path of the engine's machine, a colon, and the absolute path at which "
								+ "the application sees it, such as /srv/agents:/workspaces");
			}
		}
	}

}
