package io.kairo.workspace.routing;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.api.workspace.WorkspaceProviderRegistration;

/**
 * Which workspaces are being given back to their providers, and which were while a call
 * into a provider went on: what such a call returns may be from before its end. Guarded
 * by the lock of its {@link LeaseTable}.
 */
final class PendingReleases {

	private final Condition over;

	private final Set<Key> underWay = new HashSet<>();

	/** The calls into providers that have not returned. */
	private final Set<Call> calls = new HashSet<>();

	/**
	 * Creates it without any.
	 * @param lock guards it; is let go of while somebody waits
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
	 * Waits until a workspace is not being given back.
	 */
	void await(WorkspaceProviderRegistration registration, String id) {
		Key key = new Key(registration, id);
		while (this.underWay.contains(key)) {
			this.over.awaitUninterruptibly();
		}
	}

	/**
	 * A call into a provider. Compared by identity.
	 */
	static final class Call {

		private final Set<Key> ended = new HashSet<>();

		/**
		 * Returns whether a workspace was given back since the call began.
		 */
		boolean hasMissed(WorkspaceProviderRegistration registration, String id) {
			return this.ended.contains(new Key(registration, id));
		}

	}

	/**
	 * An id is that of its provider: two of them may use the same by mistake.
	 */
	private record Key(WorkspaceProviderRegistration registration, String id) {

	}

}
