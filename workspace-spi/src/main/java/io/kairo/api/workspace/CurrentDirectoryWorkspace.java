package io.kairo.api.workspace;

import java.nio.file.Path;
import java.util.Map;

/**
 * The workspace of a caller without a configured one.
 */
record CurrentDirectoryWorkspace(Path root) implements Workspace {

	@Override
	public String id() {
		return "local:" + this.root;
	}

	@Override
	public WorkspaceKind kind() {
		return WorkspaceKind.LOCAL;
	}

	@Override
	public Map<String, String> metadata() {
		return Map.of();
	}

}
