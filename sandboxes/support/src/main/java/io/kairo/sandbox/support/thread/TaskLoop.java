package io.kairo.sandbox.support.thread;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Tasks that one thread runs one after another, until the last one. Tasks can be added by
 * several threads, at any time.
 */
public final class TaskLoop implements Runnable {

	private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

	/** Used by the thread alone. */
	private boolean ended;

	/**
	 * Creates a loop without tasks.
	 */
	public TaskLoop() {
	}

	/**
	 * Adds a task. It is not run if it is added after the last one.
	 * @param task the task; it must not throw: the loop would end
	 */
	public void add(Runnable task) {
		this.tasks.add(task);
	}

	/**
	 * Adds the last task.
	 * @param task the task
	 */
	public void addLast(Runnable task) {
		this.tasks.add(() -> {
			this.ended = true;
			task.run();
		});
	}

	/**
	 * Waits for the result of a task.
	 * @param <T> the type of the result
	 * @param result the result
	 * @return the result
	 * @throws IOException if the task has failed
	 */
	public static <T> T await(CompletableFuture<T> result) throws IOException {
		try {
			return result.join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof IOException cause) {
				throw cause;
			}
			throw ex;
		}
	}

	/**
	 * Runs the tasks. Returns after the last one, or if the thread is interrupted. The
	 * thread is still interrupted then.
	 */
	@Override
	public void run() {
		try {
			while (!this.ended) {
				this.tasks.take().run();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
