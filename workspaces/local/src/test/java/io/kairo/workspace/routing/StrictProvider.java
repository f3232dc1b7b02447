package io.kairo.workspace.routing;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;

/**
 * A provider that caches workspaces without counting, and destroys a workspace at the
 * first release.
 */
class StrictProvider implements WorkspaceProvider {

	private final Map<String, Workspace> live = new ConcurrentHashMap<>();

	@Override
	public Workspace acquire(WorkspaceRequest request) {
		String hint = String.valueOf(request.hint());
		String name = hint.substring(hint.indexOf(':') + 1);
		return this.live.computeIfAbsent("made:" + name, LeaseFixture.NamedWorkspace::new);
	}

	@Override
	public void release(String workspaceId) {
		this.live.remove(workspaceId);
	}

	boolean isLive(Workspace workspace) {
		return this.live.get(workspace.id()) == workspace;
	}

	/**
	 * Returns the workspaces that were acquired and not released, by id.
	 */
	Map<String, Workspace> live() {
		return this.live;
	}

}
