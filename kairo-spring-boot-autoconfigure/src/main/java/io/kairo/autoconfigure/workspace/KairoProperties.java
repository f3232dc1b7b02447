package io.kairo.autoconfigure.workspace;

import java.nio.file.Path;

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
	 * @throws InvalidConfigurationPropertyValueException if the directory is none, or is
	 * a root itself
	 */
	void requireUsable(WorkspaceProperties workspace) {
		Path state = stateDirectory();
		if (state.toFile().exists() && !state.toFile().isDirectory()) {
			throw new InvalidConfigurationPropertyValueException("kairo.state-dir", state, "it is not a directory");
		}
		if (workspace.directories().anyMatch(state::equals)) {
			throw new InvalidConfigurationPropertyValueException("kairo.state-dir", state,
					"it is a root of the workspace itself: name a directory of its own");
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
