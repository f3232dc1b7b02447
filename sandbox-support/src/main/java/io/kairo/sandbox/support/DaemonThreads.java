package io.kairo.sandbox.support;

/**
 * Makes the threads of sandboxes: daemons that inherit no thread locals, so that nothing
 * of the caller's tenant gets into them.
 *
 * @since 0.1.0
 */
public final class DaemonThreads {

	private DaemonThreads() {
	}

	/**
	 * Makes a thread that is not started yet.
	 * @param name its name
	 * @param task what it does
	 * @return the thread
	 */
	public static Thread create(String name, Runnable task) {
		Thread thread = new Thread(null, task, name, 0, false);
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Starts a thread.
	 * @param name its name
	 * @param task what it does
	 * @return the thread
	 */
	public static Thread start(String name, Runnable task) {
		Thread thread = create(name, task);
		thread.start();
		return thread;
	}

	/**
	 * Runs what has to be done in any case: on a thread of its own, or here if there is
	 * none to be had.
	 */
	static void startOrRun(String name, Runnable task) {
		try {
			start(name, task);
		}
		catch (OutOfMemoryError ex) {
			task.run();
		}
	}

}
