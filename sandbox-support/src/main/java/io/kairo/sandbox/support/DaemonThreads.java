package io.kairo.sandbox.support;

/**
 * Makes the threads of this package: daemons that inherit no thread locals, so that
 * nothing of the caller's tenant gets into them.
 */
final class DaemonThreads {

	private DaemonThreads() {
	}

	static Thread create(String name, Runnable task) {
		Thread thread = new Thread(null, task, name, 0, false);
		thread.setDaemon(true);
		return thread;
	}

	static Thread start(String name, Runnable task) {
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
