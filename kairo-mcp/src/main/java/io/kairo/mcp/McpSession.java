package io.kairo.mcp;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.Cancellation;
import io.modelcontextprotocol.spec.McpStreamableServerSession;
import io.modelcontextprotocol.spec.McpStreamableServerSession.McpStreamableServerSessionStream;
import org.jspecify.annotations.Nullable;

/**
 * A session of a client, with its calls in progress and the stream that it has opened.
 * Only the caller that opened it can use it, identified by tenant and principal, since
 * other attributes can differ between requests. Safe for use by several threads.
 */
final class McpSession {

	private final McpStreamableServerSession session;

	private final @Nullable TenantContext owner;

	/** By the id of the request in JSON, where {@code 1} and {@code "1"} are two ids. */
	private final Map<String, Cancellation> calls = new ConcurrentHashMap<>();

	/** Guarded by this object, like the field below. */
	private @Nullable McpOutput output;

	private @Nullable McpStreamableServerSessionStream listening;

	/** As of {@link System#nanoTime()}. */
	private volatile long lastUse;

	/**
	 * Creates a session.
	 * @param session the session of the SDK
	 * @param owner the owner, null for a caller without a tenant
	 */
	McpSession(McpStreamableServerSession session, @Nullable TenantContext owner, long now) {
		this.session = session;
		this.owner = owner;
		this.lastUse = now;
	}

	String id() {
		return this.session.getId();
	}

	McpStreamableServerSession sdk() {
		return this.session;
	}

	@Nullable TenantContext owner() {
		return this.owner;
	}

	/**
	 * Returns the id of the owner's tenant, empty if there is none.
	 */
	String tenant() {
		return (this.owner != null) ? this.owner.tenantId() : "";
	}

	boolean isOwnedBy(@Nullable TenantContext caller) {
		return (this.owner == null || caller == null) ? this.owner == null && caller == null
				: this.owner.tenantId().equals(caller.tenantId())
						&& this.owner.principalId().equals(caller.principalId());
	}

	long lastUse() {
		return this.lastUse;
	}

	void use(long now) {
		this.lastUse = now;
	}

	/**
	 * Returns whether the client has an open stream.
	 */
	boolean isListening() {
		return this.session.hasListeningStream();
	}

	/**
	 * Opens a stream. The SDK ends the one that it replaces.
	 * @param opened its output, which identifies it
	 */
	synchronized void open(McpOutput opened, McpEventStream stream) {
		this.output = opened;
		this.listening = this.session.listeningStream(stream);
	}

	/**
	 * Ends the stream.
	 */
	void endStream() {
		endStream(null);
	}

	/**
	 * Ends the stream.
	 * @param only the output of the stream to end, if there is no later one; null for any
	 */
	void endStream(@Nullable McpOutput only) {
		McpStreamableServerSessionStream ended;
		synchronized (this) {
			if (only != null && this.output != only) {
				return;
			}
			ended = this.listening;
			this.output = null;
			this.listening = null;
		}
		if (ended != null) {
			ended.close();
		}
	}

	/**
	 * Registers a call until the registration is closed. The protocol forbids two calls
	 * with the same id; of these, the later one is registered.
	 */
	Cancellation.Registration register(String request, Cancellation cancellation) {
		this.calls.put(request, cancellation);
		return () -> this.calls.remove(request, cancellation);
	}

	/**
	 * Cancels a call unless it has ended.
	 */
	void cancel(String request) {
		Cancellation cancellation = this.calls.remove(request);
		if (cancellation != null) {
			cancellation.cancel();
		}
	}

	void cancelAll() {
		this.calls.keySet().forEach(this::cancel);
	}

}
