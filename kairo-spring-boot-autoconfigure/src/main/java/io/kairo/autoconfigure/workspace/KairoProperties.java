package io.kairo.autoconfigure.workspace;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

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

	private static Path defaultStateDirectory() {
		String xdg = System.getenv("XDG_STATE_HOME");
		if (xdg != null && Path.of(xdg).isAbsolute()) {
			return Path.of(xdg, "kairo");
		}
		return Path.of(System.getProperty("user.home"), ".local", "state", "kairo");
	}

}
