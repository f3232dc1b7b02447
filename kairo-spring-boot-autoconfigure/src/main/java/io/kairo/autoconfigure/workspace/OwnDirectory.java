package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.workspace.local.RootTemplate;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * A directory in which a provider keeps what is its own. What it does with the files
 * there rests on nobody else writing them: agents who got there would see those of
 * others, and could have Git run what they wrote.
 */
final class OwnDirectory {

	private OwnDirectory() {
	}

	/**
	 * Refuses one that overlaps a root of the workspace, also by way of links.
	 * @param property who names it
	 * @param directory the directory, which need not exist
	 * @throws InvalidConfigurationPropertyValueException if it overlaps one
	 */
	static void requireApart(String property, Path directory, WorkspaceProperties workspace) {
		for (RootTemplate root : workspace.templates()) {
			if (overlap(root.base(), directory)) {
				throw new InvalidConfigurationPropertyValueException(property, directory,
						"it overlaps a root of the workspace, " + root
								+ ", whose agents would see the files of others and could change what the application runs: "
								+ "name a directory of its own");
			}
		}
	}

	/**
	 * Returns whether one directory lies in the other one, wherever links lead.
	 */
	static boolean overlap(Path one, Path other) {
		Path oneReal = real(one.toAbsolutePath().normalize());
		Path otherReal = real(other.toAbsolutePath().normalize());
		return oneReal.startsWith(otherReal) || otherReal.startsWith(oneReal);
	}

	private static Path real(Path path) {
		try {
			return path.toRealPath();
		}
		catch (IOException ex) {
			Path parent = path.getParent();
			Path name = path.getFileName();
			return (parent != null && name != null) ? real(parent).resolve(name) : path;
		}
	}

}
