package io.kairo.sandbox.docker;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import com.github.dockerjava.api.exception.NotFoundException;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * The paths that files of this JVM have on the machine of the engine: the same ones,
 * unless this JVM runs in a container of that engine. Immutable.
 *
 * @param sources the paths on that machine, by the paths that this JVM sees; an empty one
 * for a directory that the engine cannot mount; null if they are the same
 */
record EnginePaths(@Nullable Map<Path, Path> sources) {

	/** Is part of the message about a path that the engine does not see. */
	static final String NOT_SHARED = "is not shared with the engine";

	private static final Logger logger = System.getLogger(EnginePaths.class.getName());

	/** A container mounts its own version of these files. */
	private static final Pattern OWN_FILE = Pattern
		.compile("(?m)^\\S+ \\S+ \\S+ \\S*/([0-9a-f]{64})/\\S+ /etc/(?:hostname|hosts|resolv\\.conf) ");

	/** The last directory of a control group, such as docker-ID.scope. */
	private static final Pattern GROUP = Pattern.compile("(?m)[/-]([0-9a-f]{64})(?:\\.scope)?$");

	/**
	 * Returns the paths for an engine.
	 * @param configured the configured paths, empty to ask the engine
	 * @throws RuntimeException if the engine does not answer
	 */
	static EnginePaths of(Map<Path, Path> configured, DockerEngine engine) {
		if (!configured.isEmpty()) {
			return new EnginePaths(configured);
		}
		for (String container : containers(text("/proc/self/mountinfo"), text("/proc/self/cgroup"))) {
			try {
				Map<Path, Path> mounts = engine.mounts(container);
				logger.log(Level.DEBUG,
						"This JVM runs in the container " + container + ", with mounts at " + mounts.keySet());
				return new EnginePaths(mounts);
			}
			catch (NotFoundException ex) {
				logger.log(Level.DEBUG, "The engine does not know the container " + container, ex);
			}
		}
		return new EnginePaths(null);
	}

	/**
	 * Returns the IDs that the container of a process may have.
	 * @param mounts the mount table of the process
	 * @param groups the control groups of the process
	 */
	static Set<String> containers(String mounts, String groups) {
		Set<String> containers = new LinkedHashSet<>();
		OWN_FILE.matcher(mounts).results().forEach((match) -> containers.add(match.group(1)));
		GROUP.matcher(groups).results().forEach((match) -> containers.add(match.group(1)));
		return containers;
	}

	private static String text(String file) {
		try {
			return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			return "";
		}
	}

	/**
	 * Returns the path of a file or directory on the machine of the engine.
	 * @param path an absolute path without links
	 * @throws SandboxException if the engine does not see it
	 */
	Path translate(Path path) {
		Path translated = (this.sources != null) ? find(path, this.sources) : path;
		if (translated != null) {
			return translated;
		}
		throw new SandboxException(SandboxErrorCode.SETUP_FAILED,
				path + " " + NOT_SHARED + ", because it is on no mount of the container of the application",
				"the operator has to mount it into the container of the application, from the machine of the engine");
	}

	/**
	 * Returns whether the engine is known to see a path.
	 * @param seen a directory that it sees if the paths are the same; null for none
	 */
	boolean maps(Path path, @Nullable Path seen) {
		return (this.sources != null) ? find(path, this.sources) != null : seen != null && path.startsWith(seen);
	}

	private static @Nullable Path find(Path path, Map<Path, Path> sources) {
		for (Path seen = path; seen != null; seen = seen.getParent()) {
			Path source = sources.get(seen);
			if (source != null) {
				return source.isAbsolute() ? source.resolve(seen.relativize(path)).normalize() : null;
			}
		}
		return null;
	}

}
