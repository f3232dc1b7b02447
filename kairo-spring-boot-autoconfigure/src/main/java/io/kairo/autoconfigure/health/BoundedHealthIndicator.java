package io.kairo.autoconfigure.health;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Health indicator that bounds the time of another one to {@link #BOUND}, and is down if
 * that does not answer. At most one check is in progress; callers that come meanwhile
 * wait for the same one. The answer of a check that took longer is used once, if the next
 * check takes longer too. Safe for use by several threads.
 */
final class BoundedHealthIndicator implements HealthIndicator {

	static final Duration BOUND = Duration.ofSeconds(2);

	/**
	 * Maximum time of a check, in bounds. A longer check is interrupted, and its answer
	 * is of no use.
	 */
	private static final int LOST = 30;

	private final String name;

	private final HealthIndicator indicator;

	private final Duration bound;

	private @Nullable FutureTask<Health> check;

	/** The thread of the check, possibly ended. */
	private @Nullable Thread thread;

	/** The time when the check started, by {@link System#nanoTime()}. */
	private long started;

	/** Whether a caller did not wait for the end of the check. */
	private boolean overdue;

	/** The check before, if it ended too late for its callers. */
	private @Nullable FutureTask<Health> late;

	BoundedHealthIndicator(String name, HealthIndicator indicator) {
		this(name, indicator, BOUND);
	}

	/**
	 * Creates an indicator for a part of another one's check.
	 * @param bound a shorter time to wait
	 */
	BoundedHealthIndicator(String name, HealthIndicator indicator, Duration bound) {
		this.bound = bound;
		this.name = name;
		this.indicator = indicator;
	}

	@Override
	public Health health() {
		FutureTask<Health> current = current();
		try {
			return current.get(this.bound.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			return instead();
		}
		catch (ExecutionException ex) {
			return failed(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Health.unknown().withDetail("problem", "interrupted").build();
		}
	}

	private synchronized FutureTask<Health> current() {
		FutureTask<Health> current = this.check;
		long age = System.nanoTime() - this.started;
		boolean lost = age > this.bound.multipliedBy(LOST).toNanos();
		if (this.thread != null && lost) {
			this.thread.interrupt();
		}
		if (current == null || current.isDone()) {
			this.late = (this.overdue && !lost) ? current : null;
			this.overdue = false;
			current = new FutureTask<>(this.indicator::health);
			Thread started = new Thread(current, "kairo-health-" + this.name);
			started.setDaemon(true);
			started.start();
			this.thread = started;
			this.check = current;
			this.started = System.nanoTime();
		}
		return current;
	}

	private static Health failed(ExecutionException ex) {
		return Health.down(Objects.requireNonNull(ex.getCause())).build();
	}

	private Health instead() {
		FutureTask<Health> before;
		synchronized (this) {
			this.overdue = true;
			before = this.late;
			this.late = null;
		}
		try {
			if (before != null) {
				return before.get();
			}
		}
		catch (ExecutionException ex) {
			return failed(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return Health.down().withDetail("problem", "did not answer within " + BOUND.toSeconds() + " s").build();
	}

}
