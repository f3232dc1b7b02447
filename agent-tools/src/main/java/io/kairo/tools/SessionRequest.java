package io.kairo.tools;

import java.util.Objects;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * A request for the session of a call. Everything in it comes from the application and
 * the authenticated caller, never from an argument of a model. Two requests mean the same
 * session if tenant, principal, agent, hint, {@code writable} and session id are the
 * same; other attributes of the tenant make no difference. Immutable.
 *
 * @param tenant the tenant of the call; its attribute {@link TenantContext#ATTR_AGENT_ID}
 * identifies the agent
 * @param sessionId the client's id of the session; null for a session that ends with the
 * call
 * @param hint the hint of the workspace of a new session, as in
 * {@code git:https://…#main}; null or blank for the default one
 * @param writable whether files may be changed
 * @param child the name of the child session that takes the call, as for a sub-agent;
 * null for the session itself
 * @see AgentSession#child(String)
 */
public record SessionRequest(TenantContext tenant, @Nullable String sessionId, @Nullable String hint, boolean writable,
		@Nullable String child) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if the name of the child is blank
	 */
	public SessionRequest {
		Objects.requireNonNull(tenant, "tenant");
		if (child != null && child.isBlank()) {
			throw new IllegalArgumentException("The name of the child is blank: name the sub-agent, or give null");
		}
		hint = (hint != null && hint.isBlank()) ? null : hint;
	}

	/**
	 * Creates a request for a session in the default workspace.
	 * @param tenant the tenant of the call
	 * @param sessionId the client's id of the session; null for a session that ends with
	 * the call
	 * @return the request
	 */
	public static SessionRequest of(TenantContext tenant, @Nullable String sessionId) {
		return new SessionRequest(tenant, sessionId, null, true, null);
	}

	/**
	 * Returns a copy for another workspace.
	 * @param hint the hint of the workspace, null for the default one
	 * @return another request
	 */
	public SessionRequest in(@Nullable String hint) {
		return new SessionRequest(this.tenant, this.sessionId, hint, this.writable, this.child);
	}

	/**
	 * Returns a copy for a read-only workspace.
	 * @return another request
	 */
	public SessionRequest readOnly() {
		return new SessionRequest(this.tenant, this.sessionId, this.hint, false, this.child);
	}

	/**
	 * Returns a copy for a child of the session.
	 * @param child the name of the child, null for the session itself
	 * @return another request
	 * @throws IllegalArgumentException if the name is blank
	 */
	public SessionRequest child(@Nullable String child) {
		return new SessionRequest(this.tenant, this.sessionId, this.hint, this.writable, child);
	}

}
