package io.kairo.workspace.local;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceKind;
import org.jspecify.annotations.Nullable;

/**
 * A workspace in directories of this machine.
 *
 * @param id its id
 * @param configured the roots at its creation
 * @param writable whether its files may be changed
 * @param later the roots added since, null if none can be added
 */
record LocalWorkspace(String id, List<Path> configured, boolean writable,
		@Nullable LaterRoots later) implements Workspace {

	LocalWorkspace(String id, List<Path> roots, boolean writable) {
		this(id, roots, writable, null);
	}

	@Override
	public Path root() {
		return this.configured.get(0);
	}

	@Override
	public List<Path> roots() {
		List<Path> added = (this.later != null) ? this.later.added() : List.of();
		return added.isEmpty() ? this.configured
				: Stream
					.concat(this.configured.stream(),
							added.stream().filter((directory) -> !this.configured.contains(directory)))
					.toList();
	}

	@Override
	public WorkspaceKind kind() {
		return WorkspaceKind.LOCAL;
	}

	@Override
	public Map<String, String> metadata() {
		return Map.of();
	}

	/**
	 * The roots added while the workspace is in use.
	 *
	 * @param roots the roots of all workspaces
	 * @param tenant the tenant of the workspace
	 * @param primary the real path of the primary root
	 */
	record LaterRoots(WorkspaceRoots roots, String tenant, Path primary) {

		List<Path> added() {
			return this.roots.of(this.tenant).stream().filter((directory) -> !directory.equals(this.primary)).toList();
		}

	}

}
