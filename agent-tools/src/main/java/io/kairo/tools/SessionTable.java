package io.kairo.tools;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.kairo.tools.background.SessionCommands;
import org.jspecify.annotations.Nullable;

/**
 * The open sessions. Each session is ended exactly once, after its last use. Failures to
 * end one are logged, not thrown. Opening and ending happen outside of the lock, so that
 * a slow session does not delay others.
 */
final class SessionTable {

	private static final Logger logger = System.getLogger(SessionTable.class.getName());

	private final SessionBounds bounds;

	private final Consumer<AgentSession> end;

	private final LongSupplier nanoTime;

	/** In the order of the last use; guarded by itself, as all below. */
	private final Map<SessionKey, KeptSession> entries = new LinkedHashMap<>(16, 0.75f, true);

	private boolean closed;

	SessionTable(SessionBounds bounds, Consumer<AgentSession> end) {
		this(bounds, end, System::nanoTime);
	}

	SessionTable(SessionBounds bounds, Consumer<AgentSession> end, LongSupplier nanoTime) {
		this.bounds = bounds;
		this.end = end;
		this.nanoTime = nanoTime;
	}

	/**
	 * Opens a session that ends with its only use.
	 */
	Use enter(Supplier<AgentSession> opener) {
		requireOpen();
		KeptSession entry = new KeptSession(null, opener.get());
		entry.enter(this.nanoTime.getAsLong());
		entry.end();
		return new Use(entry);
	}

	/**
	 * Enters a session, and opens it if needed.
	 * @param key the key of the session
	 * @param opener the function that opens the session
	 */
	Use enter(SessionKey key, Supplier<AgentSession> opener) {
		endIdle();
		KeptSession known = use(key);
		if (known != null) {
			return new Use(known);
		}
		AgentSession created = opener.get();
		List<AgentSession> unused = new ArrayList<>();
		KeptSession entry = add(key, created, unused);
		endAll(unused);
		if (entry == null) {
			throw closedTable();
		}
		return new Use(entry);
	}

	void endIdle() {
		List<AgentSession> unused = new ArrayList<>();
		List<KeptSession> busy = new ArrayList<>();
		synchronized (this.entries) {
			long now = this.nanoTime.getAsLong();
			Iterator<KeptSession> eldestFirst = this.entries.values().iterator();
			while (eldestFirst.hasNext()) {
				KeptSession entry = eldestFirst.next();
				if (!entry.isOutdated(now, this.bounds.idleTimeout())) {
					break;
				}
				if (entry.runsCommand()) {
					busy.add(entry);
				}
				else if (!entry.isUsed()) {
					eldestFirst.remove();
					unused.add(entry.session());
				}
			}
			busy.forEach((entry) -> touch(entry, now));
		}
		endAll(unused);
	}

	int end(Predicate<AgentSession> which) {
		List<AgentSession> unused = new ArrayList<>();
		List<AgentSession> ended = new ArrayList<>();
		synchronized (this.entries) {
			Iterator<KeptSession> all = this.entries.values().iterator();
			while (all.hasNext()) {
				KeptSession entry = all.next();
				if (which.test(entry.session())) {
					all.remove();
					ended.add(entry.session());
					end(entry, unused);
				}
			}
		}
		// calls that wait for a command return, before the session is released
		ended.forEach(SessionTable::stopCommands);
		endAll(unused);
		return ended.size();
	}

	List<AgentSession> list() {
		synchronized (this.entries) {
			return this.entries.values().stream().map(KeptSession::session).toList();
		}
	}

	void close() {
		synchronized (this.entries) {
			this.closed = true;
		}
		end((session) -> true);
	}

	void requireOpen() {
		synchronized (this.entries) {
			if (this.closed) {
				throw closedTable();
			}
		}
	}

	private @Nullable KeptSession use(SessionKey key) {
		synchronized (this.entries) {
			requireOpen();
			KeptSession entry = this.entries.get(key);
			if (entry != null) {
				entry.enter(this.nanoTime.getAsLong());
			}
			return entry;
		}
	}

	/**
	 * Adds a session unless another call has added it in the meantime.
	 * @param unused is filled with the sessions to end
	 * @return the session to use, null if the table was closed
	 */
	private @Nullable KeptSession add(SessionKey key, AgentSession created, List<AgentSession> unused) {
		synchronized (this.entries) {
			if (this.closed) {
				unused.add(created);
				return null;
			}
			KeptSession raced = use(key);
			if (raced != null) {
				unused.add(created);
				return raced;
			}
			KeptSession entry = new KeptSession(key, created);
			entry.enter(this.nanoTime.getAsLong());
			this.entries.put(key, entry);
			boolean evicted = true;
			while (evicted && this.entries.size() > this.bounds.maxSessions()) {
				evicted = evict(key.tenantId(), unused);
			}
			return entry;
		}
	}

	private boolean evict(String tenantId, List<AgentSession> unused) {
		SessionKey chosen = choose(tenantId);
		KeptSession evicted = (chosen != null) ? this.entries.remove(chosen) : null;
		if (evicted != null) {
			end(evicted, unused);
		}
		return evicted != null;
	}

	/**
	 * Chooses the session to evict: the least recently used one of the tenants with the
	 * most sessions. A tenant never loses a session to a tenant with more sessions.
	 * @param tenantId the tenant that needs room
	 * @return the key of the session, null if every session that may end is in use
	 */
	private @Nullable SessionKey choose(String tenantId) {
		Map<String, Integer> counts = new HashMap<>();
		this.entries.keySet().forEach((key) -> counts.merge(key.tenantId(), 1, Integer::sum));
		int least = counts.getOrDefault(tenantId, 0);
		int most = Collections.max(counts.values());
		SessionKey chosen = null;
		int largest = 0;
		for (Map.Entry<SessionKey, KeptSession> candidate : this.entries.entrySet()) {
			int count = counts.getOrDefault(candidate.getKey().tenantId(), 0);
			if (!candidate.getValue().isUsed() && count >= least && count > largest) {
				chosen = candidate.getKey();
				largest = count;
				if (count == most) {
					break;
				}
			}
		}
		return chosen;
	}

	private static void stopCommands(AgentSession session) {
		SessionCommands commands = session.commands();
		if (commands != null) {
			commands.stop();
		}
	}

	private static void end(KeptSession entry, List<AgentSession> unused) {
		if (entry.end()) {
			unused.add(entry.session());
		}
	}

	private void leave(KeptSession entry) {
		boolean unused;
		synchronized (this.entries) {
			unused = entry.leave();
			touch(entry, this.nanoTime.getAsLong());
		}
		if (unused) {
			endAll(List.of(entry.session()));
		}
	}

	/**
	 * Makes an entry the latest one.
	 */
	private void touch(KeptSession entry, long now) {
		entry.lastUse = now;
		if (entry.key() != null) {
			// moves the entry to the end of the access order
			this.entries.get(entry.key());
		}
	}

	/**
	 * Ends sessions that were removed from the table. Continues after every failure,
	 * since nothing else would end the remaining ones.
	 */
	private void endAll(List<AgentSession> unused) {
		for (AgentSession session : unused) {
			try {
				this.end.accept(session);
			}
			catch (Throwable ex) {
				logger.log(Level.WARNING, "Failed to release the workspace of a session", ex);
			}
		}
	}

	private static IllegalStateException closedTable() {
		return new IllegalStateException("The sessions are closed: the application is shutting down");
	}

	/**
	 * A use of a session, ended by its first close.
	 */
	final class Use implements AutoCloseable {

		private final KeptSession entry;

		private final AtomicBoolean closed = new AtomicBoolean();

		private Use(KeptSession entry) {
			this.entry = entry;
		}

		AgentSession session() {
			return this.entry.session();
		}

		@Override
		public void close() {
			if (!this.closed.getAndSet(true)) {
				leave(this.entry);
			}
		}

	}

	/**
	 * A session and its users. Guarded by the table.
	 */
	private static final class KeptSession {

		private final @Nullable SessionKey key;

		private final AgentSession session;

		private int users;

		private long lastUse;

		private boolean ended;

		/**
		 * Creates an entry without users.
		 * @param key the key of the session, null if it cannot be found again
		 * @param session the session
		 */
		KeptSession(@Nullable SessionKey key, AgentSession session) {
			this.key = key;
			this.session = session;
		}

		@Nullable SessionKey key() {
			return this.key;
		}

		AgentSession session() {
			return this.session;
		}

		boolean isUsed() {
			return this.users > 0;
		}

		boolean runsCommand() {
			SessionCommands commands = this.session.commands();
			return commands != null && commands.isRunning();
		}

		/**
		 * Returns whether the timeout has passed since the last use. A timeout of more
		 * than 292 years never passes.
		 */
		boolean isOutdated(long now, Duration timeout) {
			return now - this.lastUse >= TimeUnit.NANOSECONDS.convert(timeout);
		}

		void enter(long now) {
			this.users++;
			this.lastUse = now;
		}

		/**
		 * Removes one user.
		 * @return whether the session must be ended now
		 */
		boolean leave() {
			this.users--;
			return this.ended && this.users == 0;
		}

		/**
		 * Marks the session to end with its last use.
		 * @return whether it must be ended now
		 */
		boolean end() {
			this.ended = true;
			return this.users == 0;
		}

	}

}
