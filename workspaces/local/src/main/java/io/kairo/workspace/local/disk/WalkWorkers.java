package io.kairo.workspace.local.disk;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.kairo.workspace.local.disk.handle.AbandonableTask;
import io.kairo.workspace.local.disk.handle.SharedDirectory;
import io.kairo.workspace.local.disk.handle.StuckOpenException;
import org.jspecify.annotations.Nullable;

/**
 * Works through the directories of a tree, the deepest waiting one first: in one thread
 * and, where many directories wait, in a few others. Work ends when no directory is left,
 * when it is {@linkplain #stop() stopped}, or with the first exception. A thread that is
 * lost to an open is replaced. Safe for use by several threads.
 *
 * @param <T> a directory to work on
 * @param <E> the exception that the work may end with
 */
public final class WalkWorkers<T extends WalkWorkers.Task, E extends Exception> {

	private static final int MAX_WORKERS = 4;

	private final int size = Math.min(MAX_WORKERS, Runtime.getRuntime().availableProcessors());

	private final Deque<T> tasks = new ArrayDeque<>();

	private final Consumer<AbandonableTask> threads;

	private final Work<T, E> work;

	private final Work<T, E> onLoss;

	private final int many;

	/** Number of threads that have neither ended nor been lost. */
	private int running;

	/** Number of workers with a directory. */
	private int active;

	/** The thread that waits for the end. */
	private @Nullable Thread caller;

	private volatile boolean stopped;

	private @Nullable Throwable failure;

	/**
	 * Creates workers.
	 * @param threads starts a thread
	 * @param work the work on one directory, which may add others
	 * @param onLoss called for a directory whose thread is lost, on another thread
	 * @param many maximum number of waiting directories before another thread starts
	 */
	public WalkWorkers(Consumer<AbandonableTask> threads, Work<T, E> work, Work<T, E> onLoss, int many) {
		this.threads = threads;
		this.work = work;
		this.onLoss = onLoss;
		this.many = many;
	}

	/**
	 * Adds directories. The first one is taken first. Starts another thread where many
	 * directories wait.
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
			if (this.tasks.size() > this.many && this.running < this.size) {
				startWorker();
			}
		}
	}

	private void startWorker() {
		this.threads.accept(new Worker());
		this.running++;
	}

	/**
	 * Waits until no directory is left and no thread works. An interrupt stays set.
	 * @param interrupted called if this thread is interrupted
	 * @throws E the first exception of the work, in whichever thread it was thrown
	 */
	@SuppressWarnings("unchecked") // the work throws nothing else that is checked
	public void run(Runnable interrupted) throws E {
		Throwable thrown = await(interrupted);
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

	private @Nullable Throwable await(Runnable interrupted) {
		boolean wasInterrupted = false;
		for (boolean over = false; !over;) {
			try {
				awaitEnd();
				over = true;
			}
			catch (InterruptedException ex) {
				wasInterrupted = true;
				interrupted.run();
			}
		}
		if (wasInterrupted) {
			Thread.currentThread().interrupt();
		}
		synchronized (this.tasks) {
			return this.failure;
		}
	}

	private void awaitEnd() throws InterruptedException {
		while (!isOver()) {
			LockSupport.park(this);
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
		}
	}

	private boolean isOver() {
		synchronized (this.tasks) {
			this.caller = Thread.currentThread();
			if (this.running == 0 && !this.tasks.isEmpty()) {
				startWorker();
			}
			return this.running == 0;
		}
	}

	/**
	 * Counts a thread that has ended or is lost.
	 */
	private void leave() {
		this.running--;
		LockSupport.unpark(this.caller);
	}

	/**
	 * Stops the work; waiting directories are released.
	 */
	void stop() {
		synchronized (this.tasks) {
			this.stopped = true;
			for (T task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
				release(task);
			}
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

	private static void release(Task task) {
		task.parent().release();
	}

	/**
	 * A thread that works on directories until none is left, or until it is lost.
	 */
	private final class Worker implements AbandonableTask {

		/** Whether no more work is expected of this thread. */
		private boolean lost;

		private @Nullable T task;

		@Override
		public void run() {
			try {
				workOff();
			}
			catch (Error ex) {
				// no memory even to stop
				lose();
				throw ex;
			}
		}

		private void workOff() {
			for (T task = take(); task != null; task = take()) {
				try {
					WalkWorkers.this.work.on(task);
				}
				catch (AbandonedException ex) {
					return;
				}
				catch (Exception | Error ex) {
					fail(ex);
				}
				finally {
					release(task);
				}
				done();
			}
		}

		/**
		 * Takes a directory, waiting for one while other threads may add some.
		 * @return null if the work is over
		 */
		private @Nullable T take() {
			Deque<T> tasks = WalkWorkers.this.tasks;
			synchronized (tasks) {
				while (!this.lost && !isStopped() && tasks.isEmpty() && WalkWorkers.this.active > 0) {
					try {
						tasks.wait();
					}
					catch (InterruptedException ex) {
						// Has no meaning for this thread.
					}
				}
				T task = this.lost ? null : tasks.poll();
				this.task = task;
				if (task != null) {
					WalkWorkers.this.active++;
				}
				else if (!this.lost) {
					leave();
				}
				return task;
			}
		}

		private void done() {
			synchronized (WalkWorkers.this.tasks) {
				if (!this.lost) {
					this.task = null;
					leaveTask();
				}
			}
		}

		private void leaveTask() {
			WalkWorkers.this.active--;
			if (WalkWorkers.this.active == 0) {
				WalkWorkers.this.tasks.notifyAll();
			}
		}

		@Override
		public Consumer<StuckOpenException> failure() {
			return (stuck) -> lose(Objects.requireNonNull(this.task));
		}

		private void lose(T task) {
			try {
				WalkWorkers.this.onLoss.on(task);
			}
			catch (Exception | Error ex) {
				fail(ex);
			}
			lose();
		}

		private void lose() {
			synchronized (WalkWorkers.this.tasks) {
				if (!this.lost) {
					this.lost = true;
					if (this.task != null) {
						leaveTask();
					}
					leave();
				}
			}
		}

	}

	/**
	 * A directory to work on.
	 */
	public interface Task {

		/**
		 * Returns the directory above. It is released after the work.
		 * @return the directory above
		 */
		SharedDirectory<?> parent();

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
