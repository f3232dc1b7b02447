package io.kairo.workspace.local.disk;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import io.kairo.workspace.local.disk.handle.SharedDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Works through the directories of a tree, the deepest waiting one first: in the calling
 * thread and, where many directories wait, in a few others. Work ends when no directory
 * is left, when it is {@linkplain #stop() stopped}, or with the first exception. Safe for
 * use by several threads.
 *
 * @param <T> a directory to work on
 * @param <E> the exception that the work may end with
 */
public final class WalkWorkers<T extends WalkWorkers.Task, E extends Exception> {

	private static final int MAX_WORKERS = 4;

	private final int size = Math.min(MAX_WORKERS, Runtime.getRuntime().availableProcessors()) - 1;

	private final Deque<T> tasks = new ArrayDeque<>();

	private final List<Thread> workers = new ArrayList<>();

	private final Work<T, E> work;

	private final int many;

	private int active;

	private volatile boolean stopped;

	private @Nullable Throwable failure;

	/**
	 * Creates workers.
	 * @param work the work on one directory, which may add others
	 * @param many number of waiting directories from which another thread pays off
	 */
	public WalkWorkers(Work<T, E> work, int many) {
		this.work = work;
		this.many = many;
	}

	/**
	 * Adds directories, the first of which is taken first. Starts another thread where
	 * many directories wait.
	 * @param added the directories
	 */
	public void add(List<T> added) {
		synchronized (this.tasks) {
			if (this.stopped) {
				added.forEach(WalkWorkers::release);
				return;
			}
			for (int i = added.size() - 1; i >= 0; i--) {
				this.tasks.push(added.get(i));
			}
			if (added.size() > 1) {
				this.tasks.notifyAll();
			}
			if (this.tasks.size() > this.many && this.workers.size() < this.size) {
				Thread worker = new Thread(null, this::work, "kairo-walk", 0, false);
				worker.setDaemon(true);
				worker.start();
				this.workers.add(worker);
			}
		}
	}

	/**
	 * Works until no directory is left.
	 * @throws E the first exception of the work, in whichever thread it was thrown
	 */
	@SuppressWarnings("unchecked") // the work throws nothing else that is checked
	public void run() throws E {
		work();
		join();
		Throwable thrown;
		synchronized (this.tasks) {
			thrown = this.failure;
		}
		if (thrown instanceof Error error) {
			throw error;
		}
		if (thrown instanceof RuntimeException exception) {
			throw exception;
		}
		if (thrown != null) {
			throw (E) thrown;
		}
	}

	/**
	 * Stops the work; waiting directories are released.
	 */
	void stop() {
		synchronized (this.tasks) {
			this.stopped = true;
			this.tasks.forEach(WalkWorkers::release);
			this.tasks.clear();
			this.tasks.notifyAll();
		}
	}

	/**
	 * Stops the work with an exception, unless there is an earlier one.
	 */
	void fail(Throwable thrown) {
		synchronized (this.tasks) {
			if (this.failure == null) {
				this.failure = thrown;
			}
		}
		stop();
	}

	boolean isStopped() {
		return this.stopped;
	}

	private void work() {
		for (T task = take(); task != null; task = take()) {
			try {
				this.work.on(task);
			}
			catch (Exception | Error ex) {
				fail(ex);
			}
			finally {
				release(task);
				done();
			}
		}
	}

	/**
	 * Takes a directory, waiting for one while other threads may add some.
	 * @return null if the work is over
	 */
	private @Nullable T take() {
		boolean interrupted = false;
		try {
			synchronized (this.tasks) {
				while (!this.stopped && this.tasks.isEmpty() && this.active > 0) {
					try {
						this.tasks.wait();
					}
					catch (InterruptedException ex) {
						interrupted = true;
					}
				}
				T task = this.tasks.poll();
				if (task != null) {
					this.active++;
				}
				return task;
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void done() {
		synchronized (this.tasks) {
			this.active--;
			if (this.active == 0) {
				this.tasks.notifyAll();
			}
		}
	}

	/**
	 * Waits for the other threads, which have nothing left to do.
	 */
	private void join() {
		boolean interrupted = false;
		int joined = 0;
		for (Thread worker = worker(joined); worker != null; worker = worker(joined)) {
			try {
				worker.join();
				joined++;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private @Nullable Thread worker(int index) {
		synchronized (this.tasks) {
			return (index < this.workers.size()) ? this.workers.get(index) : null;
		}
	}

	private static void release(Task task) {
		task.parent().release();
	}

	/**
	 * A directory to work on.
	 */
	public interface Task {

		/**
		 * Returns the directory above, which is released after the work.
		 * @return the directory above
		 */
		SharedDirectory parent();

	}

	/**
	 * The work on one directory.
	 *
	 * @param <T> a directory to work on
	 * @param <E> the exception that the work may end with
	 */
	@FunctionalInterface
	public interface Work<T, E extends Exception> {

		/**
		 * Works on a directory.
		 * @param task the directory
		 * @throws E to end the work
		 */
		void on(T task) throws E;

	}

}
