package io.kairo.governance.policy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The store of requests for approval and of permissions for sessions. Each method is
 * atomic, also among all instances of an application that share the store. Safe for use
 * by several threads. Every method throws {@link ApprovalStoreException} if the store
 * cannot be reached.
 */
public interface ApprovalStore {

	/** Maximum number of open requests, pending or approved, of all tenants. */
	int MAX_OPEN = 10_000;

	/** Maximum number of characters of the open requests of a tenant. */
	long MAX_TENANT_CHARACTERS = 1_000_000;

	/** Maximum number of characters of the open requests of all tenants. */
	long MAX_CHARACTERS = 10_000_000;

	/**
	 * Maximum number of decided requests that are kept of a tenant, and of permissions;
	 * further ones replace the oldest.
	 */
	int MAX_TENANT_KEPT = 200;

	/**
	 * Maximum number of decided requests that are kept of all tenants, and of
	 * permissions.
	 */
	int MAX_KEPT = 10_000;

	/**
	 * Adds a request, unless there is a pending or approved one for the same tenant,
	 * principal, session, tool, rule and digest that has not expired.
	 * @param approval the request
	 * @param maxPending maximum number of open requests of the tenant, pending or
	 * approved
	 * @param now the time
	 * @return the added or the existing request; empty if the tenant or all of them have
	 * the maximum number of open ones or of characters. Instances that add at the same
	 * moment may exceed it by one each
	 */
	Optional<StoredApproval> open(PendingApproval approval, int maxPending, Instant now);

	/**
	 * Returns a request.
	 * @param id its id
	 * @return the request in any state, without its text if it is decided; empty if it is
	 * not known, or no longer
	 */
	Optional<StoredApproval> find(String id);

	/**
	 * Returns the pending requests.
	 * @param tenant the id of the tenant, null for all
	 * @param now the time
	 * @return the unexpired requests, the oldest first
	 */
	List<PendingApproval> pending(@Nullable String tenant, Instant now);

	/**
	 * Answers a request if it is pending, has the digest and has not expired.
	 * @param id its id
	 * @param digest the digest of the shown content
	 * @param answer the answer
	 * @param grant the permission to add with it, null for none
	 * @param now the time
	 * @return whether this was the answer
	 */
	boolean answer(String id, String digest, ApprovalAnswer answer, @Nullable SessionGrant grant, Instant now);

	/**
	 * Takes an approved request that has not expired, for execution.
	 * @param id its id
	 * @param now the time
	 * @return true for one invocation at most, of all instances
	 */
	boolean execute(String id, Instant now);

	/**
	 * Expires a pending or approved request.
	 * @param id its id
	 * @return whether it was pending or approved
	 */
	boolean expire(String id);

	/**
	 * Returns a permission that has not ended.
	 * @param sought a permission for the same session, tool and rule; its end and the
	 * person are ignored
	 * @param now the time
	 * @return the permission that ends last, if there is one
	 */
	Optional<SessionGrant> grant(SessionGrant sought, Instant now);

	/**
	 * Returns the permissions that have not ended.
	 * @param tenant the id of the tenant, null for all
	 * @param now the time
	 * @return the permissions, the first to end first
	 */
	List<SessionGrant> grants(@Nullable String tenant, Instant now);

	/**
	 * Ends the permissions of a session.
	 * @param tenant the id of the tenant
	 * @param session the client's id of the session
	 * @param now the time
	 * @return the number of permissions ended by this call
	 */
	int revoke(String tenant, String session, Instant now);

}
