package io.kairo.workspace.checkpoint;

import io.kairo.api.tenant.TenantContext;

/**
 * Is told the size of what is kept, and the events of trials. Called by several threads;
 * must not block.
 */
@FunctionalInterface
public interface CheckpointListener {

	/**
	 * Called after the size of a workspace may have changed.
	 * @param tenant the tenant of the workspace
	 * @param bytes the size of what is kept for all workspaces of the tenant, in bytes
	 * @param maxBytes the maximum size in bytes
	 */
	void measured(TenantContext tenant, long bytes, long maxBytes);

	/**
	 * Called after an event of a trial. Does nothing by default.
	 * @param tenant the tenant of the workspace
	 * @param event the event
	 */
	default void trial(TenantContext tenant, TrialEvent event) {
	}

	/**
	 * An event of a trial. New constants are only added at the end.
	 */
	enum TrialEvent {

		/** A trial has begun, of a session, a fork or a call that is reviewed. */
		BEGUN,

		/** Its changes were made in the workspace. */
		COMMITTED,

		/**
		 * A commit changed nothing, as an entry cannot be changed, or was changed by
		 * others; the trial goes on.
		 */
		CONFLICT,

		/** It has ended without a commit. */
		DISCARDED

	}

}
