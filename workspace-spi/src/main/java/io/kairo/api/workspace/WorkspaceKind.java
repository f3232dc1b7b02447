package io.kairo.api.workspace;

/**
 * The kind of storage of a workspace. New constants are only added at the end.
 */
public enum WorkspaceKind {

	/** A directory of this machine that outlives the workspace. */
	LOCAL,

	/** A checkout of a remote git repository. */
	REMOTE_GIT,

	/** A temporary storage that is deleted with the workspace. */
	EPHEMERAL,

	/** A directory assigned to a branch of a task tree. */
	TASK,

	/** A prefix of an object store. */
	OBJECT_STORE

}
