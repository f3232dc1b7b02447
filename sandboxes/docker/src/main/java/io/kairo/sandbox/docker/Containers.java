package io.kairo.sandbox.docker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

import io.kairo.sandbox.support.thread.DaemonThreads;
import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * The running containers of a sandbox: they run a command, or wait for the next one.
 * Renews their leases, and ends containers that have been idle for too long. Safe for use
 * by several threads.
 */
final class Containers implements AutoCloseable {

	private static final Logger logger = System.getLogger(Containers.class.getName());

	private static final long CLOSE_MILLIS = 10_000;

	private final DockerOptions options;

	private final Runnable beat;

	private final Deadlines deadlines = new Deadlines();

	private final Set<Container> all = new HashSet<>();

	/** The sessions whose first container is being started. */
	private final List<ContainerSpec> starting = new ArrayList<>();

	/** The longest idle one comes first. */
	private final Map<Container, Future<?>> idle = new LinkedHashMap<>();

	private final Map<ContainerSpec, Deque<Container>> idleBySpec = new HashMap<>();

	private @Nullable Future<?> heartbeat;

	private boolean closed;

	/**
	 * Creates the value.
	 * @param beat run with each renewal of leases; must not block
	 */
	Containers(DockerOptions options, Runnable beat) {
		this.options = options;
		this.beat = beat;
	}

	/**
	 * Takes an idle container.
	 * @return the container, or null if there is none
	 */
	synchronized @Nullable Container take(ContainerSpec spec) {
		Deque<Container> waiting = this.idleBySpec.getOrDefault(spec, new ArrayDeque<>());
		while (!waiting.isEmpty()) {
			// the warmest one
			Container container = waiting.getLast();
			forgetIdle(container);
			if (container.usable()) {
				return container;
			}
			discardLater(container);
		}
		return null;
	}

	/**
	 * Returns a running container of a session, and waits while another thread starts the
	 * first one.
	 * @return the id of the container; null if the caller starts the first one, and calls
	 * {@link #started(ContainerSpec)} afterwards
	 */
	synchronized @Nullable String ofSession(ContainerSpec spec) {
		try {
			while (true) {
				Optional<Container> known = this.all.stream()
					.filter((container) -> container.spec().isOfSession(spec) && container.usable())
					.findAny();
				if (known.isPresent()) {
					return known.get().id();
				}
				if (this.starting.stream().noneMatch(spec::isOfSession)) {
					break;
				}
				wait();
			}
		}
		catch (InterruptedException ex) {
			// the start fails for that reason
			Thread.currentThread().interrupt();
		}
		this.starting.add(spec);
		return null;
	}

	/**
	 * Ends the wait for the first container of a session, which runs or was not started.
	 */
	synchronized void started(ContainerSpec spec) {
		this.starting.remove(spec);
		notifyAll();
	}

	/**
	 * Adds a new container.
	 * @return false if this is closed
	 */
	synchronized boolean add(Container container) {
		if (!this.closed) {
			this.all.add(container);
			if (this.heartbeat == null) {
				this.heartbeat = beatLater();
			}
		}
		return !this.closed;
	}

	/**
	 * Gives back a container whose command has ended.
	 */
	synchronized void giveBack(Container container) {
		if (this.closed || this.options.mode() == DockerOptions.Mode.COMMAND || this.options.maxIdle() == 0
				|| container.spec().copied() || !container.usable()) {
			discardLater(container);
			return;
		}
		this.idle.put(container, this.deadlines.after(this.options.idleTimeout(), () -> expire(container)));
		this.idleBySpec.computeIfAbsent(container.spec(), (spec) -> new ArrayDeque<>()).addLast(container);
		if (this.idle.size() > this.options.maxIdle()) {
			Container oldest = this.idle.keySet().iterator().next();
			forgetIdle(oldest);
			discardLater(oldest);
		}
	}

	/**
	 * Ends a container on another thread.
	 */
	synchronized Thread discardLater(Container container) {
		this.all.remove(container);
		container.retire();
		return DaemonThreads.start("kairo-container-removal", container::discard);
	}

	/**
	 * Ends all containers, and waits some seconds for that.
	 */
	@Override
	public void close() {
		List<Thread> removals = new ArrayList<>();
		synchronized (this) {
			this.closed = true;
			this.idle.clear();
			this.idleBySpec.clear();
			for (Container container : List.copyOf(this.all)) {
				removals.add(discardLater(container));
			}
		}
		this.deadlines.close();
		long deadline = System.nanoTime() + Duration.ofMillis(CLOSE_MILLIS).toNanos();
		try {
			for (Thread removal : removals) {
				removal.join(Math.max(1, Duration.ofNanos(deadline - System.nanoTime()).toMillis()));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private synchronized void expire(Container container) {
		if (this.idle.containsKey(container)) {
			forgetIdle(container);
			discardLater(container);
		}
	}

	private void forgetIdle(Container container) {
		Future<?> expiry = this.idle.remove(container);
		if (expiry != null) {
			expiry.cancel(false);
		}
		Deque<Container> waiting = this.idleBySpec.get(container.spec());
		if (waiting != null) {
			waiting.remove(container);
			if (waiting.isEmpty()) {
				this.idleBySpec.remove(container.spec());
			}
		}
	}

	private @Nullable Future<?> beatLater() {
		try {
			return this.deadlines.after(this.options.lease().dividedBy(3), this::beat);
		}
		catch (RejectedExecutionException ex) {
			logger.log(Level.TRACE, "The containers are being ended", ex);
			return null;
		}
	}

	private synchronized void beat() {
		for (Container container : this.all) {
			if (container.usable()) {
				container.send('H', new byte[0]);
			}
		}
		this.heartbeat = this.all.isEmpty() ? null : beatLater();
		this.beat.run();
	}

}
