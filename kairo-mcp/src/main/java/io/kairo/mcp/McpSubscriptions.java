package io.kairo.mcp;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

import io.kairo.api.tenant.TenantContext;
import io.modelcontextprotocol.spec.McpError;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The subscriptions of sessions to files. The files of a tenant are checked one after the
 * other, at intervals, for a tenth of the time at most and on a thread that the checks of
 * no other tenant need, since a store or a client that does not read can block it. A
 * change is told to the subscriber alone. Safe for use by several threads.
 */
final class McpSubscriptions implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(McpSubscriptions.class);

	private static final long IDLE_SECONDS = 10;

	private final McpProperties.Resources bounds;

	private final States states;

	private final Predicate<String> open;

	private final BiPredicate<String, String> notifier;

	private final ScheduledThreadPoolExecutor timer;

	/** Has at most one thread for each tenant. */
	private final ThreadPoolExecutor executor;

	/** By id of the tenant; guarded by itself, like all that it contains. */
	private final Map<String, Subscribed> tenants = new HashMap<>();

	/**
	 * Creates an empty collection.
	 * @param states returns the states of files
	 * @param open whether a session is open, by its id
	 * @param notifier tells a session, by its id, that a resource has changed, by its
	 * URI; returns whether it could be told
	 */
	McpSubscriptions(McpProperties.Resources bounds, States states, Predicate<String> open,
			BiPredicate<String, String> notifier) {
		this.bounds = bounds;
		this.states = states;
		this.open = open;
		this.notifier = notifier;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("kairo-mcp-resources-");
		threads.setDaemon(true);
		this.timer = new ScheduledThreadPoolExecutor(1, threads, new DiscardPolicy());
		this.timer.setRemoveOnCancelPolicy(true);
		this.executor = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS,
				new SynchronousQueue<>(), threads, new DiscardPolicy());
	}

	/**
	 * Checks that a session can have a further subscription.
	 * @throws McpError if it cannot
	 */
	void requireRoom(TenantContext owner, String session, String uri) {
		synchronized (this.tenants) {
			Subscribed own = this.tenants.get(owner.tenantId());
			if (own != null && own.files.containsKey(new Key(session, uri))) {
				return;
			}
			require((own != null) ? own.files.size() : 0, this.bounds.subscriptionsPerTenant(), "tenant");
			require((own != null) ? count(own, session) : 0, this.bounds.subscriptionsPerSession(), "session");
		}
	}

	private static int count(Subscribed own, String session) {
		return (int) own.files.keySet().stream().filter((key) -> key.session().equals(session)).count();
	}

	private static void require(int count, int maximum, String holder) {
		if (count >= maximum) {
			throw McpResources.invalid(
					"The %s has %d subscriptions, and cannot have more: end one of them".formatted(holder, maximum));
		}
	}

	/**
	 * Adds a subscription unless it exists.
	 * @param owner the owner of the session
	 * @param file the file, null if the application tells of changes of the resource
	 * @param state the state of the file
	 * @throws McpError if there are too many
	 */
	void add(TenantContext owner, String session, String uri, @Nullable McpFileUri file, Object state) {
		Key key = new Key(session, uri);
		synchronized (this.tenants) {
			requireRoom(owner, session, uri);
			Subscribed own = this.tenants.get(owner.tenantId());
			if (own == null) {
				own = new Subscribed(owner.tenantId());
				this.tenants.put(owner.tenantId(), own);
				schedule(own);
			}
			own.files.putIfAbsent(key, new Subscription(owner, key, file, state));
		}
	}

	private void schedule(Subscribed own) {
		own.next = this.timer.schedule(() -> run(own), this.bounds.pollInterval().toNanos(), TimeUnit.NANOSECONDS);
	}

	private void run(Subscribed own) {
		synchronized (this.tenants) {
			if (own.files.isEmpty()) {
				return;
			}
			own.checking = true;
		}
		try {
			this.executor.execute(() -> {
				try {
					check(own);
				}
				finally {
					checked(own);
				}
			});
		}
		catch (OutOfMemoryError ex) {
			logger.warn("Resources are checked later, as there is no thread for it", ex);
			checked(own);
		}
	}

	private void checked(Subscribed own) {
		synchronized (this.tenants) {
			own.checking = false;
			schedule(own);
			endIfEmpty(own);
		}
	}

	void remove(TenantContext owner, String session, String uri) {
		synchronized (this.tenants) {
			Subscribed own = this.tenants.get(owner.tenantId());
			if (own != null) {
				own.files.remove(new Key(session, uri));
				endIfEmpty(own);
			}
		}
	}

	/**
	 * Ends the subscriptions of a session.
	 */
	void end(TenantContext owner, String session) {
		synchronized (this.tenants) {
			Subscribed own = this.tenants.get(owner.tenantId());
			if (own != null && own.files.keySet().removeIf((key) -> key.session().equals(session))) {
				endIfEmpty(own);
			}
		}
	}

	/**
	 * Ends the checks of a tenant that has no subscriptions. Those that are in progress
	 * end later: further subscriptions wait for them, and have no other thread.
	 */
	private void endIfEmpty(Subscribed own) {
		if (own.files.isEmpty() && !own.checking) {
			this.tenants.remove(own.tenant);
			Objects.requireNonNull(own.next).cancel(false);
		}
	}

	int count() {
		synchronized (this.tenants) {
			return this.tenants.values().stream().mapToInt((own) -> own.files.size()).sum();
		}
	}

	/**
	 * Checks files of a tenant: all, or as many as there is time for.
	 */
	private void check(Subscribed own) {
		int count;
		synchronized (this.tenants) {
			count = own.files.size();
		}
		long end = System.nanoTime() + this.bounds.pollInterval().toNanos() / 10;
		do {
			Subscription next;
			synchronized (this.tenants) {
				next = own.next();
			}
			if (next != null) {
				check(next);
			}
		}
		while (--count > 0 && System.nanoTime() - end < 0);
	}

	private void check(Subscription subscription) {
		McpFileUri file = subscription.file;
		if (!this.open.test(subscription.key.session())) {
			end(subscription.owner, subscription.key.session());
			return;
		}
		if (file == null) {
			return;
		}
		try {
			Object state = this.states.state(subscription.owner, subscription.key.session(), file);
			// a change that is not told is found again by the next check
			if (!state.equals(subscription.state)
					&& this.notifier.test(subscription.key.session(), subscription.key.uri())) {
				subscription.state = state;
			}
		}
		catch (RuntimeException ex) {
			logger.debug("A resource could not be checked for changes", ex);
		}
	}

	@Override
	public void close() {
		this.timer.shutdownNow();
		this.executor.shutdownNow();
	}

	/**
	 * Returns the state of a file. It differs from an earlier one if the file has
	 * changed.
	 */
	interface States {

		Object state(TenantContext owner, String session, McpFileUri file);

	}

	/**
	 * Identifies a subscription.
	 *
	 * @param session the id of the session
	 * @param uri the URI of the resource, as the client spells it
	 */
	private record Key(String session, String uri) {

	}

	/**
	 * A subscription.
	 */
	private static final class Subscription {

		private final TenantContext owner;

		private final Key key;

		private final @Nullable McpFileUri file;

		/** As the client knows it; for use by the checks of the tenant. */
		private Object state;

		private Subscription(TenantContext owner, Key key, @Nullable McpFileUri file, Object state) {
			this.owner = owner;
			this.key = key;
			this.file = file;
			this.state = state;
		}

	}

	/**
	 * The subscriptions of a tenant.
	 */
	private static final class Subscribed {

		private final String tenant;

		/** The next one to check first. */
		private final Map<Key, Subscription> files = new LinkedHashMap<>();

		private @Nullable Future<?> next;

		/** Whether a thread checks them, or is about to. */
		private boolean checking;

		private Subscribed(String tenant) {
			this.tenant = tenant;
		}

		/**
		 * Returns the next one to check, which is checked last the next time; null if
		 * there is none.
		 */
		private @Nullable Subscription next() {
			Iterator<Subscription> each = this.files.values().iterator();
			if (!each.hasNext()) {
				return null;
			}
			Subscription next = each.next();
			each.remove();
			this.files.put(next.key, next);
			return next;
		}

	}

}
