package io.kairo.workspace.routing;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.api.workspace.WorkspaceProviderRegistration;

/**
 * The workspaces that are being released at their providers, and the workspaces that were
 * released during a running call of a provider. Such a call can return a workspace from
 * before its release. Guarded by the lock of its {@link LeaseTable}.
 */
final class PendingReleases {

	private final Condition over;

	private final Set<Key> underWay = new HashSet<>();

	/** The running calls of providers. */
	private final Set<Call> calls = new HashSet<>();

	/**
	 * Creates an empty instance.
	 * @param lock the lock that guards it, released while a thread waits
	 */
	PendingReleases(ReentrantLock lock) {
		this.over = lock.newCondition();
	}

	Call beginCall() {
		Call call = new Call();
		this.calls.add(call);
		return call;
	}

	void endCall(Call call) {
		this.calls.remove(call);
	}

	void start(WorkspaceProviderRegistration registration, String id) {
		this.underWay.add(new Key(registration, id));
	}

	void finish(WorkspaceProviderRegistration registration, String id) {
		Key key = new Key(registration, id);
		this.underWay.remove(key);
		this.calls.forEach((call) -> call.ended.add(key));
		this.over.signalAll();
	}

	/**
	 * Waits until a workspace is not being released.
	 */
	void await(WorkspaceProviderRegistration registration, String id) {
		Key key = new Key(registration, id);
		while (this.underWay.contains(key)) {
			this.over.awaitUninterruptibly();
		}
	}

	/**
	 * A call of a provider. Compared by identity.
	 */
	static final class Call {

		private final Set<Key> ended = new HashSet<>();

		/**
		 * Returns whether a workspace was released since the call began.
		 */
		boolean hasMissed(WorkspaceProviderRegistration registration, String id) {
			return this.ended.contains(new Key(registration, id));
		}

	}

	/**
	 * Identifies a workspace by provider and id, since two providers can use the same id
	 * by mistake.
	 */
	private record Key(WorkspaceProviderRegistration registration, String id) {

	}

}
