package io.kairo.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.Cancellation;
import io.modelcontextprotocol.common.McpTransportContext;
import org.jspecify.annotations.Nullable;

/**
 * A request of a client in progress: who makes it, and what is to happen at its end. The
 * tools that it calls find it in the SDK's context of the transport. Its slot is free
 * again when it is closed. Safe for use by several threads.
 */
final class McpCall implements AutoCloseable {

	private static final String KEY = McpCall.class.getName();

	/** A call without any information. */
	private static final McpCall UNKNOWN = new McpCall(null, Optional.empty(), null, null, false, null);

	private final @Nullable McpHttpExchange exchange;

	private final Optional<TenantContext> caller;

	private final @Nullable McpSession session;

	private final TenantSlots.@Nullable Slot slot;

	private final boolean spare;

	private final @Nullable McpBody body;

	private final Cancellation cancellation = new Cancellation();

	/** Guarded by this object, like the fields below. */
	private final List<Runnable> whenClosed = new ArrayList<>();

	private @Nullable String id;

	private boolean closed;

	/**
	 * Creates a call.
	 * @param caller the caller, empty if there is no tenant: the tool rejects such a
	 * call, not the protocol
	 * @param session the session that the client names, null if it names none
	 * @param slot the slot that the call holds, null if it needs none
	 * @param spare whether the slot is one of those for other messages than requests
	 * @param body the content of the message, null if it has none
	 */
	McpCall(@Nullable McpHttpExchange exchange, Optional<TenantContext> caller, @Nullable McpSession session,
			TenantSlots.@Nullable Slot slot, boolean spare, @Nullable McpBody body) {
		this.exchange = exchange;
		this.caller = caller;
		this.session = session;
		this.slot = slot;
		this.spare = spare;
		this.body = body;
	}

	/**
	 * Returns the call that a handler of the server is called for.
	 */
	static McpCall of(@Nullable McpTransportContext context) {
		return (context != null && context.get(KEY) instanceof McpCall call) ? call : UNKNOWN;
	}

	McpTransportContext context() {
		return McpTransportContext.create(Map.of(KEY, this));
	}

	McpHttpExchange exchange() {
		return Objects.requireNonNull(this.exchange);
	}

	Optional<TenantContext> caller() {
		return this.caller;
	}

	/**
	 * Returns the id of the caller's tenant, empty if there is none.
	 */
	String tenant() {
		return this.caller.map(TenantContext::tenantId).orElse("");
	}

	@Nullable McpSession session() {
		return this.session;
	}

	/**
	 * Returns the id of the session, null if there is none.
	 */
	@Nullable String sessionId() {
		return (this.session != null) ? this.session.id() : null;
	}

	boolean isSpare() {
		return this.spare;
	}

	McpBody body() {
		return Objects.requireNonNull(this.body);
	}

	/**
	 * Returns the cancellation of the call. It is cancelled by the client, and when the
	 * client is known to be gone.
	 */
	Cancellation cancellation() {
		return this.cancellation;
	}

	/**
	 * Returns the id of the request in JSON, null if it has none or has not been read.
	 */
	synchronized @Nullable String id() {
		return this.id;
	}

	synchronized void id(@Nullable String id) {
		this.id = id;
	}

	/**
	 * Runs an action when the response has been sent or is not needed any more.
	 * @param action an action that is quick and does not throw
	 */
	void whenClosed(Runnable action) {
		synchronized (this) {
			if (!this.closed && this != UNKNOWN) {
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
		if (this.body != null) {
			this.body.close();
		}
		if (this.slot != null) {
			this.slot.close();
		}
	}

}
