package io.kairo.autoconfigure.workspace;

import java.nio.file.Path;

import io.kairo.workspace.local.RealPaths;
import io.kairo.workspace.local.RootTemplate;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Checks that the directory of a provider is not accessible to agents. They could
 * otherwise see the files of other agents, and make Git run their own programs.
 */
final class PrivateDirectoryCheck {

	private PrivateDirectoryCheck() {
	}

	/**
	 * Rejects a directory that overlaps a root of the workspace, also through links.
	 * @param property the name of the property
	 * @param directory the directory, not necessarily existing
	 * @throws InvalidConfigurationPropertyValueException if the directory overlaps a root
	 */
	static void requireApart(String property, Path directory, WorkspaceProperties workspace) {
		for (RootTemplate root : workspace.usedTemplates()) {
			if (overlap(root.base(), directory)) {
				throw new InvalidConfigurationPropertyValueException(property, directory,
						"it overlaps a root of the workspace, " + root
								+ ", whose agents could see files of others and change programs that the application runs: "
								+ "use a separate directory");
			}
		}
	}

	/**
	 * Returns whether one directory contains the other one after all links are resolved.
	 */
	static boolean overlap(Path one, Path other) {
		Path oneReal = RealPaths.of(one.toAbsolutePath().normalize());
		Path otherReal = RealPaths.of(other.toAbsolutePath().normalize());
		return oneReal.startsWith(otherReal) || otherReal.startsWith(oneReal);
	}

}
