package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.disk.StateDirectory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configuration properties that are shared by all parts of Kairo.
 *
 * @param stateDir Directory of Kairo's own state, such as output that was spilled to
 * disk. Created with mode 0700 when it is first used. Must lie outside of the roots,
 * belong to the user of the application and be writable by no other user. By default,
 * $XDG_STATE_HOME/kairo, or else ~/.local/state/kairo.
 * @param nativeCalls Whether to make system calls of Linux directly where the JVM can,
 * which opens files and starts commands faster, and lets the sandbox landlock end
 * commands for certain.
 * @since 0.1.0
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
	 * Checks that the state directory is private, and that the state directory and the
	 * workspace do not overlap.
	 * @param workspace the configuration of the workspace
	 * @throws InvalidConfigurationPropertyValueException if the path is not a directory,
	 * if it belongs to another user or can be changed by one, if it is a root or contains
	 * one, if it lies in a root or among the directories of the tenants, or if it cannot
	 * be written or created although workspaces are writable
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
						base.equals(real) ? "it is a root of the workspace: use a separate directory"
								: "it contains the root " + root + " of the workspace: use a separate directory");
			}
			if (real.startsWith(base)) {
				throw new InvalidConfigurationPropertyValueException("kairo.state-dir", state, root.perTenant()
						? "it lies among the directories of the tenants, " + root
								+ ", and would belong to one of them: use a directory outside"
						: "it lies inside the root " + root
								+ " of the workspace, where commands could forge it: set kairo.state-dir to a directory"
								+ " outside");
			}
		}
		requirePrivate(state, workspace.readOnly());
	}

	private static void requirePrivate(Path state, boolean readOnly) {
		try {
			StateDirectory directory = new StateDirectory(state);
			directory.verify();
			if (!readOnly) {
				directory.requireWritable();
			}
		}
		catch (IOException ex) {
			String reason = (ex instanceof FileSystemException unsafe) ? unsafe.getReason() : null;
			throw new InvalidConfigurationPropertyValueException("kairo.state-dir", state,
					(reason != null) ? reason : "it cannot be read");
		}
	}

	/**
	 * Resolves the links of the part of a path that exists.
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
