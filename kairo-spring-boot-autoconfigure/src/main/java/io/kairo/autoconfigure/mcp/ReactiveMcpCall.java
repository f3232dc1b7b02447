package io.kairo.autoconfigure.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.Cancellation;
import org.jspecify.annotations.Nullable;

/**
 * A message of a reactive request in progress. Its slot is free again when the response
 * has been sent, or the client is gone, and no thread works for it any more. Safe for use
 * by several threads.
 */
final class ReactiveMcpCall implements AutoCloseable {

	private final Optional<TenantContext> caller;

	private final @Nullable String session;

	private final McpGuard.Admission admission;

	private final Cancellation cancellation = new Cancellation();

	/** Guarded by this object, like the fields below. */
	private final List<Runnable> whenClosed = new ArrayList<>();

	private int working;

	private @Nullable String requestId;

	private boolean closed;

	/**
	 * Creates a call.
	 * @param caller the caller, empty if there is no tenant
	 * @param session the id of the caller's session, null if there is none
	 * @param admission the message, closed with the call
	 */
	ReactiveMcpCall(Optional<TenantContext> caller, @Nullable String session, McpGuard.Admission admission) {
		this.caller = caller;
		this.session = session;
		this.admission = admission;
	}

	Optional<TenantContext> caller() {
		return this.caller;
	}

	@Nullable String session() {
		return this.session;
	}

	/**
	 * Returns the id of the request in JSON, null before the message was read.
	 */
	synchronized @Nullable String requestId() {
		return this.requestId;
	}

	synchronized void requestId(@Nullable String id) {
		this.requestId = id;
	}

	McpGuard.Admission admission() {
		return this.admission;
	}

	Cancellation cancellation() {
		return this.cancellation;
	}

	/**
	 * Begins work of the current thread. It ends with {@link #end()}.
	 * @return whether the client still waits for it
	 */
	synchronized boolean begin() {
		this.working += this.closed ? 0 : 1;
		return !this.closed;
	}

	void end() {
		synchronized (this) {
			this.working--;
		}
		release();
	}

	/**
	 * Runs an action when the response has been sent or is not needed any more.
	 */
	void whenClosed(Runnable action) {
		synchronized (this) {
			if (!this.closed) {
				this.whenClosed.add(action);
				return;
			}
		}
		action.run();
	}

	@Override
	public void close() {
		List<Runnable> actions;
		synchronized (this) {
			this.closed = true;
			actions = List.copyOf(this.whenClosed);
			this.whenClosed.clear();
		}
		actions.forEach(Runnable::run);
		release();
	}

	private void release() {
		synchronized (this) {
			if (!this.closed || this.working > 0) {
				return;
			}
		}
		this.admission.close();
	}

}
