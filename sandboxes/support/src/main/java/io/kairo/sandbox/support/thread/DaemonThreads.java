package io.kairo.sandbox.support.thread;

/**
 * Creates the threads of sandboxes: daemon threads that inherit no thread locals, so that
 * the tenant of the caller does not leak into them.
 */
public final class DaemonThreads {

	private DaemonThreads() {
	}

	/**
	 * Creates a thread without starting it.
	 * @param name the name of the thread
	 * @param task the task to run
	 * @return the thread
	 */
	public static Thread create(String name, Runnable task) {
		Thread thread = new Thread(null, task, name, 0, false);
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Starts a thread.
	 * @param name the name of the thread
	 * @param task the task to run
	 * @return the thread
	 */
	public static Thread start(String name, Runnable task) {
		Thread thread = create(name, task);
		thread.start();
		return thread;
	}

	/**
	 * Runs a task on a new thread, or on the calling thread if no thread can be created.
	 * @param name the name of the thread
	 * @param task the task to run
	 */
	public static void startOrRun(String name, Runnable task) {
		try {
			start(name, task);
		}
		catch (OutOfMemoryError ex) {
			task.run();
		}
	}

}
