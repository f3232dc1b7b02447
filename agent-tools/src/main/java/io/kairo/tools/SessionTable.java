package io.kairo.tools;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Keeps sessions from one call to the next, and ends each exactly once, when nobody uses
 * it any more. One that cannot be ended is logged: it is nothing to whoever calls.
 * Neither opening nor ending happens under the lock: what is slow delays nobody else.
 */
final class SessionTable {

	private static final Logger logger = System.getLogger(SessionTable.class.getName());

	private final SessionBounds bounds;

	private final Consumer<AgentSession> end;

	private final LongSupplier nanoTime;

	/** In the order of the last use; guarded by itself, as all below. */
	private final Map<SessionKey, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

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
	 * Begins to use a session that ends with the use.
	 */
	Use enter(Supplier<AgentSession> opener) {
		requireOpen();
		Entry entry = new Entry(null, opener.get());
		entry.users = 1;
		entry.ended = true;
		return new Use(entry);
	}

	/**
	 * Begins to use a session.
	 * @param key tells it from others
	 * @param opener makes it, if it is not known
	 */
	Use enter(SessionKey key, Supplier<AgentSession> opener) {
		endIdle();
		Entry known = use(key);
		if (known != null) {
			return new Use(known);
		}
		AgentSession created = opener.get();
		List<AgentSession> unused = new ArrayList<>();
		Entry entry = add(key, created, unused);
		endAll(unused);
		if (entry == null) {
			throw closedTable();
		}
		return new Use(entry);
	}

	void endIdle() {
		List<AgentSession> unused = new ArrayList<>();
		synchronized (this.entries) {
			long now = this.nanoTime.getAsLong();
			Iterator<Entry> eldestFirst = this.entries.values().iterator();
			while (eldestFirst.hasNext()) {
				Entry entry = eldestFirst.next();
				if (now - entry.lastUse < this.bounds.idleTimeout().toNanos()) {
					break;
				}
				if (entry.users == 0) {
					eldestFirst.remove();
					unused.add(entry.session);
				}
			}
		}
		endAll(unused);
	}

	int end(Predicate<AgentSession> which) {
		List<AgentSession> unused = new ArrayList<>();
		int ended = 0;
		synchronized (this.entries) {
			Iterator<Entry> all = this.entries.values().iterator();
			while (all.hasNext()) {
				Entry entry = all.next();
				if (which.test(entry.session)) {
					all.remove();
					ended++;
					endUnlessUsed(entry, unused);
				}
			}
		}
		endAll(unused);
		return ended;
	}

	List<AgentSession> list() {
		synchronized (this.entries) {
			return this.entries.values().stream().map((entry) -> entry.session).toList();
		}
	}

	void close() {
		synchronized (this.entries) {
			this.closed = true;
		}
		end((session) -> true);
	}

	private @Nullable Entry use(SessionKey key) {
		synchronized (this.entries) {
			requireOpen();
			Entry entry = this.entries.get(key);
			if (entry != null) {
				entry.users++;
				entry.lastUse = this.nanoTime.getAsLong();
			}
			return entry;
		}
	}

	/**
	 * Adds a session, unless somebody else has added it meanwhile.
	 * @param unused is filled with the sessions to end
	 * @return the one to use, null if the table was closed
	 */
	private @Nullable Entry add(SessionKey key, AgentSession created, List<AgentSession> unused) {
		synchronized (this.entries) {
			if (this.closed) {
				unused.add(created);
				return null;
			}
			Entry raced = use(key);
			if (raced != null) {
				unused.add(created);
				return raced;
			}
			Entry entry = new Entry(key, created);
			entry.users = 1;
			entry.lastUse = this.nanoTime.getAsLong();
			this.entries.put(key, entry);
			boolean evicted = true;
			while (evicted && this.entries.size() > this.bounds.maxSessions()) {
				evicted = evict(key.tenantId(), unused);
			}
			return entry;
		}
	}

	/**
	 * Takes the session out that is idle for longest, if there is one, among those of the
	 * tenants with the most sessions: nobody loses one to a tenant that has more.
	 */
	private boolean evict(String tenantId, List<AgentSession> unused) {
		Map<String, Integer> counts = new HashMap<>();
		this.entries.keySet().forEach((key) -> counts.merge(key.tenantId(), 1, Integer::sum));
		int least = counts.getOrDefault(tenantId, 0);
		int most = Collections.max(counts.values());
		SessionKey victim = null;
		int victims = 0;
		for (Map.Entry<SessionKey, Entry> candidate : this.entries.entrySet()) {
			int count = counts.getOrDefault(candidate.getKey().tenantId(), 0);
			if (candidate.getValue().users == 0 && count >= least && count > victims) {
				victim = candidate.getKey();
				victims = count;
				if (count == most) {
					break;
				}
			}
		}
		Entry evicted = (victim != null) ? this.entries.remove(victim) : null;
		if (evicted != null) {
			endUnlessUsed(evicted, unused);
		}
		return evicted != null;
	}

	private static void endUnlessUsed(Entry entry, List<AgentSession> unused) {
		entry.ended = true;
		if (entry.users == 0) {
			unused.add(entry.session);
		}
	}

	private void leave(Entry entry) {
		boolean unused;
		synchronized (this.entries) {
			entry.users--;
			entry.lastUse = this.nanoTime.getAsLong();
			if (entry.key != null) {
				// the order is that of the last use
				this.entries.get(entry.key);
			}
			unused = entry.ended && entry.users == 0;
		}
		if (unused) {
			endAll(List.of(entry.session));
		}
	}

	private void endAll(List<AgentSession> unused) {
		for (AgentSession session : unused) {
			try {
				this.end.accept(session);
			}
			catch (RuntimeException ex) {
				logger.log(Level.WARNING, "The workspace of a session could not be released", ex);
			}
		}
	}

	void requireOpen() {
		synchronized (this.entries) {
			if (this.closed) {
				throw closedTable();
			}
		}
	}

	private static IllegalStateException closedTable() {
		return new IllegalStateException("The sessions were closed: the application is shutting down");
	}

	/**
	 * One use of a session, until it is closed.
	 */
	final class Use implements AutoCloseable {

		private final Entry entry;

		private Use(Entry entry) {
			this.entry = entry;
		}

		AgentSession session() {
			return this.entry.session;
		}

		@Override
		public void close() {
			leave(this.entry);
		}

	}

	/**
	 * A session and its users. Guarded by the table.
	 */
	private static final class Entry {

		private final @Nullable SessionKey key;

		private final AgentSession session;

		private int users;

		private long lastUse;

		private boolean ended;

		Entry(@Nullable SessionKey key, AgentSession session) {
			this.key = key;
			this.session = session;
		}

	}

}
