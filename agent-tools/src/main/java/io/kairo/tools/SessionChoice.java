package io.kairo.tools;

import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import org.jspecify.annotations.Nullable;

/**
 * The choice of the session of a context: the bound one, or a new one for the bound
 * workspace and tenant. For use by one thread.
 */
final class SessionChoice {

	private final Supplier<Workspace> workspace;

	/** The owner of the session, null if not known yet. */
	private @Nullable TenantContext owner;

	private @Nullable Supplier<AgentSession> session;

	/** The bound session, null if it is opened later. */
	private @Nullable AgentSession bound;

	/** The client's id of the session, null if there is none. */
	private @Nullable String sessionId;

	/** The tenant of the call, null if none was bound. */
	private @Nullable TenantContext tenant;

	/**
	 * Creates a choice without a session.
	 * @param workspace the workspace of a new session
	 */
	SessionChoice(Workspace workspace) {
		this.workspace = () -> workspace;
	}

	/**
	 * Creates a choice with a session that is opened on first use.
	 * @param owner the owner of the session
	 * @param sessionId the client's id of the session, may be null
	 * @param session opens the session
	 */
	SessionChoice(TenantContext owner, @Nullable String sessionId, Supplier<AgentSession> session) {
		this.workspace = () -> session.get().workspace();
		this.owner = owner;
		this.sessionId = sessionId;
		this.session = session;
	}

	void bind(AgentSession session) {
		this.session = () -> session;
		this.owner = session.tenant();
		this.sessionId = session.id();
		this.bound = session;
	}

	void bind(TenantContext tenant) {
		this.tenant = tenant;
	}

	/**
	 * Returns the session.
	 * @throws IllegalArgumentException if it belongs to another workspace
	 */
	Supplier<AgentSession> session() {
		if (this.session == null) {
			AgentSession created = new AgentSession(null, tenant(), this.workspace.get());
			return () -> created;
		}
		if (this.bound != null) {
			requireSame("workspace", this.bound.workspace().id(), this.workspace.get().id());
		}
		return this.session;
	}

	@Nullable String sessionId() {
		return this.sessionId;
	}

	/**
	 * Returns the tenant of the call.
	 * @throws IllegalArgumentException if the session belongs to another tenant
	 */
	TenantContext tenant() {
		if (this.owner == null) {
			return (this.tenant != null) ? this.tenant : TenantContext.SINGLE;
		}
		if (this.tenant == null) {
			return this.owner;
		}
		requireSame("tenant", this.owner.tenantId(), this.tenant.tenantId());
		requireSame("principal", this.owner.principalId(), this.tenant.principalId());
		return this.tenant;
	}

	private static void requireSame(String what, String ofSession, String ofContext) {
		if (!ofSession.equals(ofContext)) {
			throw new IllegalArgumentException("The session has the " + what + " '" + ofSession + "', the context '"
					+ ofContext + "': bind a session of the same " + what);
		}
	}

}
