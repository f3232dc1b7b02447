package io.kairo.autoconfigure.workspace;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.workspace.local.PathPolicy;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Where the files of the agents are.
 *
 * @param roots directories of the workspace. The first is the primary one: relative paths
 * and commands start there. By default the current directory of the application.
 * @param addDirs further directories that belong to the workspace.
 * @param pathPolicy which paths are accepted.
 * @param readOnly whether files may only be read.
 * @param caseInsensitive whether a name that is not there means the only entry whose name
 * differs in case alone.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "kairo.workspace", ignoreUnknownFields = false)
public record WorkspaceProperties(@DefaultValue(".") List<String> roots, @DefaultValue List<String> addDirs,
		@DefaultValue("roots") PathPolicy pathPolicy, @DefaultValue("false") boolean readOnly,
		@DefaultValue("false") boolean caseInsensitive) {

	/**
	 * Creates the value.
	 * @param roots directories of the workspace, the primary one first
	 * @param addDirs further directories that belong to the workspace
	 * @param pathPolicy which paths are accepted
	 * @param readOnly whether files may only be read
	 * @param caseInsensitive whether a name may mean an entry whose name differs in case
	 */
	public WorkspaceProperties {
		if (roots.isEmpty()) {
			throw invalid("roots", roots, "at least one directory is needed");
		}
		requireText("roots", roots);
		requireText("add-dirs", addDirs);
		if (pathPolicy.hidesHost() && roots.size() > 1) {
			throw invalid("roots", roots, onlyPrimary(pathPolicy));
		}
		if (pathPolicy.hidesHost() && !addDirs.isEmpty()) {
			throw invalid("add-dirs", addDirs, onlyPrimary(pathPolicy));
		}
		roots = List.copyOf(roots);
		addDirs = List.copyOf(addDirs);
	}

	/**
	 * Returns the primary root.
	 * @return an existing directory
	 * @throws InvalidConfigurationPropertyValueException if it is no directory
	 */
	Path primaryRoot() {
		return directory("kairo.workspace.roots[0]", this.roots.get(0));
	}

	/**
	 * Returns the other roots and the added directories.
	 * @return existing directories
	 * @throws InvalidConfigurationPropertyValueException if one is no directory
	 */
	List<Path> additionalRoots() {
		return Stream
			.concat(this.roots.stream().skip(1).map((root) -> directory("kairo.workspace.roots", root)),
					this.addDirs.stream().map((dir) -> directory("kairo.workspace.add-dirs", dir)))
			.toList();
	}

	/**
	 * Describes the workspace for people.
	 * @return the directories and the policy, in one line
	 */
	public String description() {
		return directories().map(Path::toString).collect(Collectors.joining(", ")) + " (policy "
				+ spelled(this.pathPolicy) + (this.readOnly ? ", read-only)" : ")");
	}

	/**
	 * Returns the roots and the added directories, whether they are there or not.
	 */
	Stream<Path> directories() {
		return Stream.concat(this.roots.stream(), this.addDirs.stream())
			.map((directory) -> Path.of(directory).toAbsolutePath().normalize());
	}

	private static void requireText(String property, List<String> directories) {
		if (directories.stream().anyMatch(String::isBlank)) {
			throw invalid(property, directories, "one of them is blank: name a directory");
		}
	}

	private static String onlyPrimary(PathPolicy policy) {
		return "under kairo.workspace.path-policy=" + spelled(policy)
				+ " only the primary root can be named: remove the others or use the policy roots";
	}

	private static InvalidConfigurationPropertyValueException invalid(String property, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException("kairo.workspace." + property, value, reason);
	}

	private static String spelled(PathPolicy policy) {
		return policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private static Path directory(String property, String value) {
		if (value.contains("{")) {
			throw new InvalidConfigurationPropertyValueException(property, value,
					"placeholders in braces are not supported yet: name one directory");
		}
		Path path;
		try {
			path = Path.of(value).toAbsolutePath().normalize();
		}
		catch (InvalidPathException ex) {
			throw new InvalidConfigurationPropertyValueException(property, value, "it is not a path: " + ex.getReason(),
					ex);
		}
		if (!path.toFile().isDirectory()) {
			throw new InvalidConfigurationPropertyValueException(property, value,
					(path.toFile().exists() ? "it is not a directory" : "there is no such directory")
							+ ": create it or name another one");
		}
		return path;
	}

}
