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
import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * Creates compartments, and keeps them for a few seconds after their command has ended.
 * Safe for use by several threads.
 */
final class Compartments implements AutoCloseable {

	private static final Duration LIFETIME = Duration.ofSeconds(10);

	/** Each has two threads. */
	private static final int MOST_IDLE = 16;

	private final PrivateDirectory directory;

	private final RequestRules rules;

	/** The most recently used one comes first. */
	private final Deque<Compartment> idle = new ArrayDeque<>();

	private final Deadlines deadlines = new Deadlines();

	/** Removes expired compartments; null if there is none to wait for. */
	private @Nullable Future<?> sweep;

	private boolean closed;

	/**
	 * Creates the compartments.
	 * @param directory contains their files
	 * @param rules creates the rules of their domains
	 */
	Compartments(PrivateDirectory directory, RequestRules rules) {
		this.directory = directory;
		this.rules = rules;
	}

	/**
	 * Returns a compartment for one command, to be {@linkplain #give given back}.
	 * @param domains creates the domain
	 * @throws IOException if the files cannot be created, the kernel refuses the domain,
	 * or no more threads can be created
	 */
	Compartment take(Access access, Domains domains) throws IOException {
		Compartment known = find(access);
		if (known != null) {
			return known;
		}
		try {
			return create(access, domains);
		}
		catch (IOException ex) {
			// the idle ones have threads and descriptors that this one may lack
			if (!closeIdle()) {
				throw ex;
			}
			return create(access, domains);
		}
	}

	private synchronized @Nullable Compartment find(Access access) {
		for (Iterator<Compartment> each = this.idle.iterator(); each.hasNext();) {
			Compartment compartment = each.next();
			if (!compartment.isExpired() && compartment.access().equals(access)) {
				each.remove();
				return compartment;
			}
		}
		return null;
	}

	private Compartment create(Access access, Domains domains) throws IOException {
		CommandFiles files = CommandFiles.create(this.directory);
		boolean created = false;
		try {
			CommandDomain domain = domains.open(this.rules.of(access, files), this.rules.filter(access));
			created = true;
			return new Compartment(access, files, domain, System.nanoTime() + LIFETIME.toNanos());
		}
		finally {
			if (!created) {
				files.close();
			}
		}
	}

	/**
	 * Takes back a compartment whose command has ended. It is kept if the command has
	 * left no file in it.
	 */
	void give(Compartment compartment) {
		compartment.domain().reset(() -> {
			boolean clean = !compartment.isExpired() && compartment.files().isClean();
			if (!clean || !keep(compartment)) {
				compartment.close();
			}
		});
	}

	private synchronized boolean keep(Compartment compartment) {
		if (this.closed || this.idle.size() >= MOST_IDLE) {
			return false;
		}
		this.idle.addFirst(compartment);
		if (this.sweep == null) {
			this.sweep = this.deadlines.after(LIFETIME, this::sweep);
		}
		return true;
	}

	private void sweep() {
		List<Compartment> expired = new ArrayList<>();
		synchronized (this) {
			this.idle.stream().filter(Compartment::isExpired).forEach(expired::add);
			this.idle.removeAll(expired);
			this.sweep = this.idle.isEmpty() ? null : this.deadlines.after(LIFETIME, this::sweep);
		}
		expired.forEach(Compartment::close);
	}

	/**
	 * Closes the compartments, each that is in use when it is given back.
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
	 * Closes the idle compartments.
	 * @return whether there were any
	 */
	private boolean closeIdle() {
		List<Compartment> all;
		synchronized (this) {
			all = List.copyOf(this.idle);
			this.idle.clear();
		}
		all.forEach(Compartment::close);
		return !all.isEmpty();
	}

}
