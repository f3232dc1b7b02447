package io.kairo.workspace.s3;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;

/**
 * Performs an operation on many items in several threads.
 */
final class Parallel {

	private Parallel() {
	}

	/**
	 * Performs an operation on each item.
	 * @param items the items
	 * @param threads the maximum number of threads
	 * @param operation the operation; after it has thrown an exception, items that were
	 * not begun are left out
	 * @throws WorkspaceException with the first failure
	 */
	static <T> void forEach(List<T> items, int threads, Consumer<T> operation) {
		if (items.size() < 2 || threads < 2) {
			items.forEach(operation);
			return;
		}
		ExecutorService pool = Executors.newFixedThreadPool(Math.min(threads, items.size()), (task) -> {
			Thread thread = new Thread(task, "kairo-s3");
			thread.setDaemon(true);
			return thread;
		});
		List<Future<?>> running = new ArrayList<>();
		try {
			items.forEach((item) -> running.add(pool.submit(() -> operation.accept(item))));
			for (Future<?> one : running) {
				one.get();
			}
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException unchecked) {
				throw unchecked;
			}
			throw new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException | CancellationException ex) {
			Thread.currentThread().interrupt();
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED, "The transfer was interrupted: try again", ex);
		}
		finally {
			running.forEach((one) -> one.cancel(false));
			pool.shutdown();
			awaitEnd(pool);
		}
	}

	/**
	 * Waits for operations that were begun, so that none works on after the call. Each of
	 * them ends by the timeout of its requests.
	 */
	private static void awaitEnd(ExecutorService pool) {
		boolean interrupted = false;
		boolean ended = false;
		while (!ended) {
			try {
				ended = pool.awaitTermination(1, TimeUnit.MINUTES);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
