package io.kairo.api.workspace.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Runs the same task on several threads that wait for each other.
 */
final class Race {

	static final int THREADS = 8;

	private static final Duration LIMIT = Duration.ofMinutes(2);

	/** Maximum time to wait for operations of threads to overlap. */
	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final long start = System.nanoTime();

	/**
	 * Returns whether there is time left for operations of the threads to overlap.
	 */
	boolean hasTimeLeft() {
		return System.nanoTime() - this.start < PATIENCE.toNanos();
	}

	/**
	 * Runs a task on {@link #THREADS} threads.
	 * @param task called once on each thread
	 * @return the results of the tasks, in the order of their numbers
	 * @throws Exception if a task failed
	 */
	static <T> List<T> run(Runner<T> task) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			CyclicBarrier barrier = new CyclicBarrier(THREADS);
			List<Callable<T>> tasks = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				int number = i;
				tasks.add(() -> {
					try {
						return task.run(number, barrier);
					}
					catch (Exception | AssertionError ex) {
						barrier.reset(); // no other thread waits for this one
						throw ex;
					}
				});
			}
			List<T> results = new ArrayList<>();
			for (Future<T> future : executor.invokeAll(tasks, LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
				results.add(future.get());
			}
			return results;
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * The task of a thread.
	 * 
	 * @param <T> the type of the result
	 */
	@FunctionalInterface
	interface Runner<T> {

		T run(int number, CyclicBarrier barrier) throws Exception;

	}

}
