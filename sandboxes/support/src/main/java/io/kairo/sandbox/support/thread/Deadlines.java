package io.kairo.sandbox.support.thread;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The timer of one sandbox, with a single daemon thread that ends when it is idle. Tasks
 * must not block.
 */
public final class Deadlines implements AutoCloseable {

	private static final long IDLE_SECONDS = 2;

	private final ScheduledThreadPoolExecutor executor;

	/**
	 * Creates the timer. Its thread is started with the first task.
	 */
	public Deadlines() {
		this.executor = new ScheduledThreadPoolExecutor(1, (task) -> DaemonThreads.create("kairo-deadlines", task));
		this.executor.setRemoveOnCancelPolicy(true);
		this.executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Runs a task after a delay.
	 * @param delay the delay
	 * @param task the task; it must not block
	 * @return the pending task
	 * @throws java.util.concurrent.RejectedExecutionException if this is closed
	 */
	public Future<?> after(Duration delay, Runnable task) {
		return this.executor.schedule(task, nanos(delay), TimeUnit.NANOSECONDS);
	}

	/**
	 * Returns the number of pending tasks.
	 * @return the number
	 */
	public int waiting() {
		return this.executor.getQueue().size();
	}

	/**
	 * Ends the thread and discards the pending tasks.
	 */
	@Override
	public void close() {
		this.executor.shutdownNow();
	}

	/**
	 * Returns a duration in nanoseconds, or about 146 years if it is longer.
	 * @param duration the duration
	 * @return the number of nanoseconds
	 */
	public static long nanos(Duration duration) {
		try {
			return Math.min(duration.toNanos(), Long.MAX_VALUE / 2);
		}
		catch (ArithmeticException ex) {
			return Long.MAX_VALUE / 2;
		}
	}

}
