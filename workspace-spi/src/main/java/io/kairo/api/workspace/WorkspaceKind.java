package io.kairo.api.workspace;

/**
 * What a workspace is backed by. New constants are only ever added at the end.
 *
 * @since 0.1.0
 */
public enum WorkspaceKind {

	/** A directory of this machine that outlives the workspace. */
	LOCAL,

	/** A checkout of a remote git repository. */
	REMOTE_GIT,

	/** A scratch place that goes with the workspace. */
	EPHEMERAL,

	/** A directory assigned to a branch of a task tree. */
	TASK,

	/** A prefix of an object store. */
	OBJECT_STORE

}
