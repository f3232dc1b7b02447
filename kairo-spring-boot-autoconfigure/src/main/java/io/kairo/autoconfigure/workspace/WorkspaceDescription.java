package io.kairo.autoconfigure.workspace;

import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Describes, in one line, the workspace of sessions that request none.
 */
final class WorkspaceDescription {

	private WorkspaceDescription() {
	}

	static String of(WorkspaceProperties properties) {
		String described = where(properties);
		if (!properties.addDirs().isEmpty() && !properties.defaultProvider().equals("local")) {
			described += ", without add-dirs, which only workspaces of the provider local have";
		}
		return (properties.hint() == null) ? described : described + ", hint " + properties.hint();
	}

	private static String where(WorkspaceProperties properties) {
		String readOnly = properties.readOnly() ? ", read-only" : "";
		String policy = "policy " + WorkspaceProperties.spelled(properties.pathPolicy()) + readOnly;
		Path data = properties.directoryOfTasks();
		if (data != null) {
			return "of the task tree below " + data + " (" + policy + ")";
		}
		return switch (properties.defaultProvider()) {
			case "local" -> directories(properties) + " (" + policy + ")";
			case "memory" -> "in memory (policy logical" + readOnly + ", no commands)";
			case "ephemeral" -> "new for each session (" + policy + ", removed with it)";
			default -> "by provider " + properties.defaultProvider() + " (" + policy + ")";
		};
	}

	private static String directories(WorkspaceProperties properties) {
		return Stream.concat(properties.roots().stream(), properties.addDirs().stream())
			.map((directory) -> Path.of(directory).toAbsolutePath().normalize().toString())
			.collect(Collectors.joining(", "));
	}

}
