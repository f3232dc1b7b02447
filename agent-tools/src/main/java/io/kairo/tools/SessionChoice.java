package io.kairo.tools;

import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import org.jspecify.annotations.Nullable;

/**
 * Which session a context leads to: the one that was bound, or a new one of the workspace
 * and the tenant that were. For use by one thread.
 */
final class SessionChoice {

	private final Supplier<Workspace> workspace;

	/** Who the session belongs to, null if that is not settled. */
	private @Nullable TenantContext owner;

	private @Nullable Supplier<AgentSession> session;

	/** What was bound as the session, null if it is entered later. */
	private @Nullable AgentSession bound;

	/** Who the call is made for, null if that was not said. */
	private @Nullable TenantContext tenant;

	/**
	 * Starts without a session.
	 * @param workspace where a new one is
	 */
	SessionChoice(Workspace workspace) {
		this.workspace = () -> workspace;
	}

	/**
	 * Starts with a session that is entered when it is first asked for.
	 * @param owner who it belongs to
	 * @param session enters it
	 */
	SessionChoice(TenantContext owner, Supplier<AgentSession> session) {
		this.workspace = () -> session.get().workspace();
		this.owner = owner;
		this.session = session;
	}

	void bind(AgentSession session) {
		this.session = () -> session;
		this.owner = session.tenant();
		this.bound = session;
	}

	void bind(TenantContext tenant) {
		this.tenant = tenant;
	}

	/**
	 * Returns the session.
	 * @throws IllegalArgumentException if it is of another workspace
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

	/**
	 * Returns who the call is made for.
	 * @throws IllegalArgumentException if the session belongs to somebody else
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
			throw new IllegalArgumentException("The session is of " + what + " '" + ofSession + "', the context of '"
					+ ofContext + "': bind a session of the same " + what);
		}
	}

}
