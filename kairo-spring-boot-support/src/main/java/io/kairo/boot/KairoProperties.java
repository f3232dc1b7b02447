package io.kairo.boot;

import java.nio.file.Path;

import io.kairo.host.HostUser;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties that are shared by all parts of Kairo.
 *
 * @param stateDir Directory of Kairo's own state, such as output that was spilled to
 * disk. Created with mode 0700 when it is first used. Must lie outside of the roots,
 * belong to the user of the application and be writable by no other user. By default,
 * $XDG_STATE_HOME/kairo, or else ~/.local/state/kairo; for a user without a home
 * directory, kairo-state- and the user in the directory for temporary files, with a
 * warning.
 * @param nativeCalls Whether to make system calls of Linux directly where the JVM can,
 * which opens files and starts commands faster, and lets the sandbox landlock end
 * commands for certain.
 */
@ConfigurationProperties("kairo")
public record KairoProperties(@Nullable Path stateDir, @DefaultValue("true") boolean nativeCalls) {

	/**
	 * Returns the directory of Kairo's own state.
	 * @return the configured or the default directory, absolute
	 */
	public Path stateDirectory() {
		return ((this.stateDir != null) ? this.stateDir : defaultStateDirectory()).toAbsolutePath().normalize();
	}

	/**
	 * Returns whether the directory is the default of a user without a home directory.
	 * @return whether it is in the directory for temporary files
	 */
	public boolean isBesideTemporaryFiles() {
		return this.stateDir == null && xdg() == null && HostUser.home() == null;
	}

	private static Path defaultStateDirectory() {
		Path xdg = xdg();
		Path home = HostUser.home();
		if (xdg != null) {
			return xdg.resolve("kairo");
		}
		return (home != null) ? home.resolve(".local/state/kairo") : HostUser.besideTemporaryFiles("kairo-state-");
	}

	private static @Nullable Path xdg() {
		String xdg = System.getenv("XDG_STATE_HOME");
		return (xdg != null && Path.of(xdg).isAbsolute()) ? Path.of(xdg) : null;
	}

}
