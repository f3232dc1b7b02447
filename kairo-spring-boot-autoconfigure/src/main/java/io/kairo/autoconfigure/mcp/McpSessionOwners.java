package io.kairo.autoconfigure.mcp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * The owner of each session, the only caller that can use it. An owner is identified by
 * tenant and principal, since other attributes can differ between requests. Sessions end
 * when they have not been used for a while; beyond a maximum number, the least recently
 * used session of a tenant ends, never a session of a tenant with fewer sessions. Safe
 * for use by several threads.
 */
final class McpSessionOwners {

	private final McpProperties.Limits limits;

	private final long timeoutNanos;

	private final LongSupplier nanoTime;

	/** By id of the session; guarded by this object, like the map below. */
	private final Map<String, Session> sessions = new HashMap<>();

	/** By tenant, in the order of the last use. */
	private final Map<String, Map<String, Session>> tenants = new HashMap<>();

	McpSessionOwners(McpProperties.Limits limits, Duration timeout, LongSupplier nanoTime) {
		this.limits = limits;
		this.timeoutNanos = timeout.toNanos();
		this.nanoTime = nanoTime;
	}

	/**
	 * Adds a session.
	 * @param owner the owner, empty for a caller without a tenant
	 * @return the sessions that end for it
	 */
	synchronized List<Session> opened(String sessionId, Optional<TenantContext> owner) {
		List<Session> ended = expired();
		Session session = new Session(sessionId, owner.orElse(null), this.nanoTime.getAsLong());
		Map<String, Session> own = add(session);
		if (own.size() > this.limits.sessionsPerTenant()) {
			ended.add(removeOldest(own));
		}
		else if (this.sessions.size() > this.limits.sessions()) {
			ended.add(
					removeOldest(this.tenants.values().stream().max(Comparator.comparingInt(Map::size)).orElseThrow()));
		}
		return ended;
	}

	private List<Session> expired() {
		long now = this.nanoTime.getAsLong();
		List<Session> expired = new ArrayList<>();
		for (Map<String, Session> own : this.tenants.values()) {
			for (Session session : own.values()) {
				if (!isExpired(session, now)) {
					break;
				}
				expired.add(session);
			}
		}
		expired.forEach((session) -> remove(session.id()));
		return expired;
	}

	private boolean isExpired(Session session, long now) {
		return now - session.lastUse() > this.timeoutNanos;
	}

	private Session removeOldest(Map<String, Session> own) {
		Session oldest = own.values().iterator().next();
		remove(oldest.id());
		return oldest;
	}

	/**
	 * Returns whether a caller owns a session, and marks it as used in this case.
	 */
	synchronized boolean use(Optional<TenantContext> caller, String sessionId) {
		Session session = this.sessions.get(sessionId);
		long now = this.nanoTime.getAsLong();
		if (session == null || isExpired(session, now) || !session.isOwnedBy(caller.orElse(null))) {
			return false;
		}
		remove(sessionId);
		add(new Session(sessionId, session.owner(), now));
		return true;
	}

	synchronized boolean isOpen(String sessionId) {
		Session session = this.sessions.get(sessionId);
		return session != null && !isExpired(session, this.nanoTime.getAsLong());
	}

	synchronized void ended(String sessionId) {
		remove(sessionId);
	}

	private Map<String, Session> add(Session session) {
		Map<String, Session> own = this.tenants.computeIfAbsent(session.tenantId(), (tenant) -> new LinkedHashMap<>());
		own.put(session.id(), session);
		this.sessions.put(session.id(), session);
		return own;
	}

	private void remove(String sessionId) {
		Session session = this.sessions.remove(sessionId);
		if (session != null) {
			this.tenants.computeIfPresent(session.tenantId(), (tenant, own) -> {
				own.remove(sessionId);
				return own.isEmpty() ? null : own;
			});
		}
	}

	/**
	 * A session.
	 *
	 * @param id its id
	 * @param owner its owner, null for a caller without a tenant
	 * @param lastUse the time of its last use, as of {@link System#nanoTime()}
	 */
	record Session(String id, @Nullable TenantContext owner, long lastUse) {

		String tenantId() {
			return (this.owner != null) ? this.owner.tenantId() : "";
		}

		boolean isOwnedBy(@Nullable TenantContext caller) {
			return (this.owner == null || caller == null) ? this.owner == null && caller == null
					: this.owner.tenantId().equals(caller.tenantId())
							&& this.owner.principalId().equals(caller.principalId());
		}

	}

}
