package io.kairo.workspace.local;

import io.kairo.api.workspace.WorkspacePath;

/**
 * The only root of a workspace that is not on disk: no more than a name.
 */
record NamedRoot(WorkspacePath primary) implements GateRoots {

	@Override
	public void check(WorkspacePath path) {
		if (!path.root().equals(this.primary.root())) {
			throw PathSyntax.foreign(path);
		}
	}

	@Override
	public void checkName(String name) {
		// No file system has to take it.
	}

}
