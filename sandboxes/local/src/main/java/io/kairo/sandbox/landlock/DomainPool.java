package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Future;

import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.cache.CacheUse;
import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * Creates domains with their temporary files, and keeps them for a few seconds after
 * their command has ended. Safe for use by several threads.
 */
final class DomainPool implements AutoCloseable {

	private static final Duration LIFETIME = Duration.ofSeconds(10);

	/** Each has two threads. */
	private static final int MOST_IDLE = 16;

	private final PrivateDirectory directory;

	private final AccessRules rules;

	/** The most recently used one comes first. */
	private final Deque<PooledDomain> idle = new ArrayDeque<>();

	private final Deadlines deadlines = new Deadlines();

	/** Removes expired domains; null if there is none to wait for. */
	private @Nullable Future<?> sweep;

	private boolean closed;

	/**
	 * Creates the pool.
	 * @param directory contains their files
	 * @param rules creates the rules of their domains
	 */
	DomainPool(PrivateDirectory directory, AccessRules rules) {
		this.directory = directory;
		this.rules = rules;
	}

	/**
	 * Returns a domain for one command, to be {@linkplain #give given back}.
	 * @param session the files of its session; null for files of its own
	 * @param domains creates the domain
	 * @throws IOException if the files cannot be created, the kernel refuses the domain,
	 * or no more threads can be created
	 */
	PooledDomain take(Access access, @Nullable TemporaryFiles session, Domains domains) throws IOException {
		PooledDomain known = find(access, session);
		if (known != null) {
			return known;
		}
		try {
			return create(access, session, domains);
		}
		catch (IOException ex) {
			// the idle ones have threads and descriptors that this one may lack
			if (!closeIdle()) {
				throw ex;
			}
			return create(access, session, domains);
		}
	}

	private synchronized @Nullable PooledDomain find(Access access, @Nullable TemporaryFiles session) {
		for (Iterator<PooledDomain> each = this.idle.iterator(); each.hasNext();) {
			PooledDomain pooled = each.next();
			if (!pooled.isExpired() && pooled.isFor(access, session)) {
				each.remove();
				return pooled;
			}
		}
		return null;
	}

	private PooledDomain create(Access access, @Nullable TemporaryFiles session, Domains domains) throws IOException {
		TemporaryFiles files = (session != null) ? session.ofCommands()
				: TemporaryFiles.create(this.directory, CacheUse.NONE);
		boolean created = false;
		try {
			CommandDomain domain = domains.open(this.rules.of(access, files), this.rules.filter(access));
			created = true;
			return new PooledDomain(access, files, domain, System.nanoTime() + LIFETIME.toNanos());
		}
		finally {
			if (!created) {
				files.close();
			}
		}
	}

	/**
	 * Takes back a domain whose command has ended. It is kept if the command has left no
	 * file in it.
	 */
	void give(PooledDomain pooled) {
		pooled.domain().reset(() -> {
			boolean clean = !pooled.isExpired() && pooled.files().isClean();
			if (!clean || !keep(pooled)) {
				pooled.close();
			}
		});
	}

	private synchronized boolean keep(PooledDomain pooled) {
		if (this.closed || this.idle.size() >= MOST_IDLE) {
			return false;
		}
		this.idle.addFirst(pooled);
		if (this.sweep == null) {
			this.sweep = this.deadlines.after(LIFETIME, this::sweep);
		}
		return true;
	}

	private void sweep() {
		List<PooledDomain> expired = new ArrayList<>();
		synchronized (this) {
			this.idle.stream().filter(PooledDomain::isExpired).forEach(expired::add);
			this.idle.removeAll(expired);
			this.sweep = this.idle.isEmpty() ? null : this.deadlines.after(LIFETIME, this::sweep);
		}
		expired.forEach(PooledDomain::close);
	}

	/**
	 * Closes the domains, each that is in use when it is given back.
	 */
	@Override
	public void close() {
		synchronized (this) {
			this.closed = true;
		}
		this.deadlines.close();
		closeIdle();
	}

	/**
	 * Closes the idle domains.
	 * @return whether there were any
	 */
	private boolean closeIdle() {
		List<PooledDomain> all;
		synchronized (this) {
			all = List.copyOf(this.idle);
			this.idle.clear();
		}
		all.forEach(PooledDomain::close);
		return !all.isEmpty();
	}

}
