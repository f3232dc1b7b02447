package io.kairo.sandbox.support;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.support.thread.DaemonThreads;
import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a sandbox, each with a resource that its commands share. The resource
 * is created for the first command, and closed when the session has been idle for too
 * long or too many are. Safe for use by several threads.
 *
 * @param <T> the type of the resources
 */
public final class Sessions<T extends SessionResource> implements AutoCloseable {

	/**
	 * Default of the time until an idle session ends: 30 minutes.
	 */
	public static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofMinutes(30);

	/**
	 * Default of the maximum number of idle sessions.
	 */
	public static final int DEFAULT_MAX_IDLE = 16;

	private final Duration idleTimeout;

	private final int maxIdle;

	private final boolean attributes;

	private final SessionResource.Factory<T> factory;

	private final Consumer<TenantContext> whenIdle;

	private final Deadlines deadlines = new Deadlines();

	/** An idle session comes before those that became idle later. */
	private final Map<Key, Session> all = new LinkedHashMap<>();

	private boolean closed;

	/**
	 * Creates the value.
	 * @param idleTimeout the time until a session without a command ends, above zero
	 * @param maxIdle the maximum number of sessions without a command, at least 0; with
	 * 0, commands share nothing
	 * @param factory creates the resources
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public Sessions(Duration idleTimeout, int maxIdle, SessionResource.Factory<T> factory) {
		this(idleTimeout, maxIdle, false, factory, (tenant) -> {
		});
	}

	/**
	 * Creates the value.
	 * @param idleTimeout the time until a session without a command ends, above zero
	 * @param maxIdle the maximum number of sessions without a command, at least 0; with
	 * 0, commands share nothing
	 * @param attributes whether a resource depends on all attributes of the tenant, so
	 * that commands with others have another session; otherwise only on the id of the
	 * agent
	 * @param factory creates the resources
	 * @param whenIdle called when the last command in a session of a tenant has ended;
	 * must not block
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public Sessions(Duration idleTimeout, int maxIdle, boolean attributes, SessionResource.Factory<T> factory,
			Consumer<TenantContext> whenIdle) {
		requireValid(idleTimeout, maxIdle);
		this.idleTimeout = idleTimeout;
		this.maxIdle = maxIdle;
		this.attributes = attributes;
		this.factory = Objects.requireNonNull(factory, "factory");
		this.whenIdle = Objects.requireNonNull(whenIdle, "whenIdle");
	}

	/**
	 * Checks the bounds of sessions.
	 * @param idleTimeout the time until a session without a command ends
	 * @param maxIdle the maximum number of sessions without a command
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public static void requireValid(Duration idleTimeout, int maxIdle) {
		if (idleTimeout.isNegative() || idleTimeout.isZero()) {
			throw new IllegalArgumentException("The idle timeout is " + idleTimeout + ": it must be above zero");
		}
		if (maxIdle < 0) {
			throw new IllegalArgumentException("The number of idle sessions is " + maxIdle + ": it must be at least 0");
		}
	}

	/**
	 * Returns whether the command of a request has a session.
	 * @param request the request
	 * @return whether it belongs to a session
	 */
	public boolean has(SandboxRequest request) {
		return request.attributes().sessionId() != null && this.maxIdle > 0;
	}

	/**
	 * Returns the session of a command, to be closed at the end of the command.
	 * @param request the request
	 * @return the session, null if the request belongs to none
	 * @throws IOException if it cannot be created
	 */
	public @Nullable Session take(SandboxRequest request) throws IOException {
		return take(request.tenant(), request.attributes().sessionId());
	}

	/**
	 * Returns a session, to be closed when it is no longer used.
	 * @param tenant the tenant
	 * @param id the id that the tenant uses, or null
	 * @return the session, null without an id, and where commands share nothing
	 * @throws IOException if it cannot be created
	 */
	public @Nullable Session take(TenantContext tenant, @Nullable String id) throws IOException {
		if (id == null || this.maxIdle == 0) {
			return null;
		}
		Session session;
		synchronized (this) {
			if (this.closed) {
				throw new IOException("The sandbox is closed");
			}
			session = this.all.computeIfAbsent(key(tenant, id), Session::new);
			session.begin();
		}
		boolean opened = false;
		try {
			session.open();
			opened = true;
			return session;
		}
		finally {
			if (!opened) {
				session.close();
			}
		}
	}

	/**
	 * Finds the resource of a session. It may be closed at any time.
	 * @param tenant the tenant
	 * @param id the id that the tenant uses
	 * @return the resource, null if the session has none that is usable
	 */
	public @Nullable T find(TenantContext tenant, String id) {
		Session session;
		synchronized (this) {
			session = this.all.get(key(tenant, id));
		}
		T resource = (session != null && session.opened) ? session.resource : null;
		return (resource != null && resource.isUsable()) ? resource : null;
	}

	/**
	 * Finds the resource of any session. It may be closed at any time.
	 * @param test tests a resource
	 * @return the resource, null if none passes the test
	 */
	public synchronized @Nullable T find(Predicate<T> test) {
		return this.all.values()
			.stream()
			.map((session) -> session.opened ? session.resource : null)
			.filter((resource) -> resource != null && test.test(resource))
			.findFirst()
			.orElse(null);
	}

	private Key key(TenantContext tenant, String id) {
		return new Key(this.attributes ? tenant : identity(tenant), id);
	}

	/**
	 * Returns what distinguishes the session of a request from the others of its tenant.
	 * @param request the request
	 * @return a name, null if the request belongs to no session
	 */
	public static @Nullable String nameOf(SandboxRequest request) {
		String id = request.attributes().sessionId();
		TenantContext tenant = request.tenant();
		return (id != null) ? String.join("\0", tenant.principalId(), agentOf(tenant), id) : null;
	}

	private static String agentOf(TenantContext tenant) {
		return tenant.attributes().getOrDefault(TenantContext.ATTR_AGENT_ID, "");
	}

	/**
	 * Returns a tenant with the attribute that distinguishes sessions, since others may
	 * differ from one request of a session to the next.
	 */
	private static TenantContext identity(TenantContext tenant) {
		return new TenantContext(tenant.tenantId(), tenant.principalId(),
				Map.of(TenantContext.ATTR_AGENT_ID, agentOf(tenant)));
	}

	/**
	 * Creates a resource that belongs to no session.
	 * @param tenant the tenant
	 * @return the resource, to be closed by the caller
	 * @throws IOException if it cannot be created
	 */
	public T open(TenantContext tenant) throws IOException {
		return this.factory.create(tenant, this.deadlines);
	}

	/**
	 * Removes the longest idle session of the tenant with the most idle ones, if there
	 * are too many: no tenant ends the sessions of another by having many.
	 */
	private List<Session> surplus() {
		List<Session> idle = this.all.values().stream().filter(Session::isIdle).toList();
		if (idle.size() <= this.maxIdle) {
			return List.of();
		}
		Map<String, Long> counts = idle.stream()
			.collect(Collectors.groupingBy(Session::tenantId, Collectors.counting()));
		long most = Collections.max(counts.values());
		Session last = idle.stream()
			.filter((session) -> counts.getOrDefault(session.tenantId(), 0L) == most)
			.findFirst()
			.orElseThrow();
		remove(last);
		return List.of(last);
	}

	/**
	 * Ends the sessions of a tenant if none of them has a command.
	 * @param tenantId the id of the tenant
	 * @param meanwhile is run before another session of the tenant can begin; must not
	 * take long
	 * @return whether they were ended
	 */
	public boolean endIdle(String tenantId, Runnable meanwhile) {
		List<Session> own;
		synchronized (this) {
			own = this.all.values().stream().filter((session) -> session.tenantId().equals(tenantId)).toList();
			if (!own.stream().allMatch(Session::isIdle)) {
				return false;
			}
			meanwhile.run();
			own.forEach(this::remove);
		}
		endLater(own);
		return true;
	}

	/**
	 * Passes the ids of the tenants that have sessions, while none begins.
	 * @param task is run with the ids; must not take long
	 */
	public synchronized void withTenants(Consumer<Set<String>> task) {
		task.accept(this.all.values().stream().map(Session::tenantId).collect(Collectors.toSet()));
	}

	private void remove(Session session) {
		this.all.remove(session.key, session);
		session.forgetExpiry();
	}

	private void expire(Session session) {
		synchronized (this) {
			if (!session.isIdle()) {
				return;
			}
			remove(session);
		}
		endLater(List.of(session));
	}

	private void endLater(List<Session> sessions) {
		sessions.forEach((session) -> DaemonThreads.startOrRun("kairo-session-end", session::end));
	}

	/**
	 * Ends all sessions. Their commands have ended.
	 */
	@Override
	public void close() {
		List<Session> ended;
		synchronized (this) {
			this.closed = true;
			ended = new ArrayList<>(this.all.values());
			this.all.clear();
		}
		this.deadlines.close();
		ended.forEach(Session::end);
	}

	/**
	 * The identity of a session.
	 *
	 * @param tenant the tenant
	 * @param id the id that the tenant uses
	 */
	private record Key(TenantContext tenant, String id) {

	}

	/**
	 * A session that a command uses. Safe for use by several threads.
	 */
	public final class Session implements AutoCloseable {

		private final Key key;

		private final Object lock = new Object();

		private int commands;

		private @Nullable Future<?> expiry;

		private @Nullable T resource;

		/** Whether there is a resource. */
		private volatile boolean opened;

		private Session(Key key) {
			this.key = key;
		}

		private void begin() {
			this.commands++;
			forgetExpiry();
		}

		private String tenantId() {
			return this.key.tenant().tenantId();
		}

		private boolean isIdle() {
			return this.commands == 0;
		}

		private void forgetExpiry() {
			if (this.expiry != null) {
				this.expiry.cancel(false);
				this.expiry = null;
			}
		}

		private void open() throws IOException {
			synchronized (this.lock) {
				if (this.resource == null || !this.resource.isUsable()) {
					end();
					this.resource = Sessions.this.open(this.key.tenant());
					this.opened = true;
				}
			}
		}

		/**
		 * Returns the resource.
		 * @return the resource that all commands of the session share
		 */
		public T resource() {
			synchronized (this.lock) {
				return Objects.requireNonNull(this.resource, "resource");
			}
		}

		private void end() {
			synchronized (this.lock) {
				if (this.resource != null) {
					this.opened = false;
					this.resource.close();
					this.resource = null;
				}
			}
		}

		/**
		 * Gives the session back. To be called once, at the end of the command.
		 */
		@Override
		public void close() {
			List<Session> ended;
			boolean last;
			synchronized (Sessions.this) {
				this.commands--;
				if (this.commands > 0 || Sessions.this.closed) {
					return;
				}
				Sessions.this.all.remove(this.key);
				if (this.opened) {
					Sessions.this.all.put(this.key, this);
					this.expiry = Sessions.this.deadlines.after(Sessions.this.idleTimeout, () -> expire(this));
				}
				ended = surplus();
				last = Sessions.this.all.values()
					.stream()
					.filter((each) -> each.tenantId().equals(tenantId()))
					.allMatch(Session::isIdle);
			}
			endLater(ended);
			if (last) {
				Sessions.this.whenIdle.accept(this.key.tenant());
			}
		}

	}

}
