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

}
