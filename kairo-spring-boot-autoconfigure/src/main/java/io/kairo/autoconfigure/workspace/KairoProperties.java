package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.workspace.local.RootTemplate;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * What all of Kairo shares.
 *
 * @param stateDir directory of Kairo's own state, such as output that was spilled to
 * disk; made with mode 0700 when it is first needed. By default $XDG_STATE_HOME/kairo,
 * else ~/.local/state/kairo.
 * @since 0.1.0
 */
@ConfigurationProperties("kairo")
public record KairoProperties(@Nullable Path stateDir) {

	/**
	 * Returns the directory of Kairo's own state.
	 * @return the configured directory, else the default one; absolute
	 */
	public Path stateDirectory() {
		return ((this.stateDir != null) ? this.stateDir : defaultStateDirectory()).toAbsolutePath().normalize();
	}

	/**
	 * Checks that the state can be kept apart from the workspace.
	 * @param workspace where the files of the agents are
	 * @throws InvalidConfigurationPropertyValueException if the directory is none, is a
	 * root itself or around one, or lies where the directories of tenants are
	 */
	void requireUsable(WorkspaceProperties workspace) {
		Path state = stateDirectory();
		if (state.toFile().exists() && !state.toFile().isDirectory()) {
			throw new InvalidConfigurationPropertyValueException("kairo.state-dir", state, "it is not a directory");
		}
		Path real = real(state);
		for (RootTemplate root : workspace.templates()) {
			Path base = real(root.base());
			if (base.startsWith(real)) {
				throw new InvalidConfigurationPropertyValueException("kairo.state-dir", state,
						base.equals(real) ? "it is a root of the workspace itself: name a directory of its own"
								: "the root " + root + " of the workspace lies in it: name a directory of its own");
			}
			if (root.perTenant() && real.startsWith(base)) {
				throw new InvalidConfigurationPropertyValueException("kairo.state-dir", state,
						"it lies where the directories of tenants are, " + root
								+ ", and would be one of them or in one: name a directory outside");
			}
		}
	}

	/**
	 * Returns the real path of what exists of a path, and the rest as it is.
	 */
	private static Path real(Path path) {
		try {
			return path.toRealPath();
		}
		catch (IOException ex) {
			Path parent = path.getParent();
			return (parent != null) ? real(parent).resolve(path.getFileName()) : path;
		}
	}

	private static Path defaultStateDirectory() {
		String xdg = System.getenv("XDG_STATE_HOME");
		if (xdg != null && Path.of(xdg).isAbsolute()) {
			return Path.of(xdg, "kairo");
		}
		return Path.of(System.getProperty("user.home"), ".local", "state", "kairo");
	}

}
