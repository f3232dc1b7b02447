package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

import io.kairo.boot.KairoProperties;
import io.kairo.host.OwnerOnly;
import io.kairo.workspace.local.RealPaths;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.disk.StateDirectory;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Checks that the state directory is private, and that the state directory and the
 * workspace do not overlap.
 */
final class StateDirectoryCheck {

	private static final Log logger = LogFactory.getLog(StateDirectoryCheck.class);

	private StateDirectoryCheck() {
	}

	/**
	 * Rejects a state directory that cannot be used.
	 * @throws InvalidConfigurationPropertyValueException if the path is not a directory,
	 * if it belongs to another user or can be changed by one, if it is a root or contains
	 * one, if it lies in a root or among the directories of the tenants, or if it cannot
	 * be written or created although workspaces are writable
	 */
	static void requireUsable(KairoProperties kairo, WorkspaceProperties workspace) {
		Path state = kairo.stateDirectory();
		if (state.toFile().exists() && !state.toFile().isDirectory()) {
			throw new InvalidConfigurationPropertyValueException("kairo.state-dir", state, "it is not a directory");
		}
		Path real = RealPaths.of(state);
		workspace.usedTemplates()
			.forEach((root) -> requireApart(state, real, root, workspace.roots().contains(root.toString())
					? "kairo.workspace.roots" : "kairo.workspace.add-dirs"));
		requirePrivate(state, kairo.isBesideTemporaryFiles(), workspace.readOnly());
	}

	private static void requireApart(Path state, Path real, RootTemplate root, String property) {
		Path base = RealPaths.of(root.base().toAbsolutePath().normalize());
		String named = root + " (" + property + (Path.of(root.toString()).isAbsolute() ? "" : ", " + base) + ")";
		if (base.getParent() == null) {
			throw new InvalidConfigurationPropertyValueException(property, root, "every directory lies below " + base
					+ ", so that no kairo.state-dir can lie outside: set " + property
					+ " to the directory that agents may use, or kairo.workspace.provider to another one, such as "
					+ "ephemeral");
		}
		if (base.startsWith(real)) {
			throw new InvalidConfigurationPropertyValueException("kairo.state-dir", state,
					base.equals(real) ? "it is a root of the workspace, " + named + ": use a separate directory"
							: "it contains the root " + named + " of the workspace: use a separate directory");
		}
		if (real.startsWith(base)) {
			throw new InvalidConfigurationPropertyValueException("kairo.state-dir", state, root.perTenant()
					? "it lies among the directories of the tenants, " + named
							+ ", and would belong to one of them: use a directory outside"
					: "it lies inside the root " + named
							+ " of the workspace, where commands could forge it: set kairo.state-dir to a directory"
							+ " outside, or " + property + " to the directory that agents may use");
		}
	}

	private static void requirePrivate(Path state, boolean homeless, boolean readOnly) {
		try {
			StateDirectory directory = new StateDirectory(state);
			if (homeless) {
				// at once, since any user could take the name
				OwnerOnly.createDirectory(state);
				logger.warn("The user of the application has no home directory, so that the state of Kairo is in "
						+ state + ", where it may be lost. Set kairo.state-dir to a directory that lasts");
			}
			directory.verify();
			if (!readOnly) {
				directory.requireWritable();
			}
		}
		catch (IOException ex) {
			String reason = (ex instanceof FileSystemException unsafe) ? unsafe.getReason() : null;
			throw new InvalidConfigurationPropertyValueException("kairo.state-dir", state,
					(homeless ? "it is the default of a user without a home directory, and " : "")
							+ ((reason != null) ? reason : "it cannot be " + (homeless ? "created" : "read")));
		}
	}

}
