package io.kairo.workspace.local;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The threads that help the caller's with a walk. Safe for use by several threads.
 */
final class WalkCrew {

	private static final int MAX_WORKERS = 4;

	private final int size = Math.min(MAX_WORKERS, Runtime.getRuntime().availableProcessors()) - 1;

	private final List<Thread> hired = new ArrayList<>();

	private final Runnable work;

	WalkCrew(Runnable work) {
		this.work = work;
	}

	/**
	 * Starts one more thread, unless there are enough.
	 */
	void hire() {
		synchronized (this.hired) {
			if (this.hired.size() < this.size) {
				Thread thread = new Thread(null, this.work, "kairo-walk", 0, false);
				thread.setDaemon(true);
				thread.start();
				this.hired.add(thread);
			}
		}
	}

	/**
	 * Waits for the threads, which have nothing left to do.
	 */
	void join() {
		boolean interrupted = false;
		int joined = 0;
		for (Thread thread = hired(joined); thread != null; thread = hired(joined)) {
			try {
				thread.join();
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

	private @Nullable Thread hired(int index) {
		synchronized (this.hired) {
			return (index < this.hired.size()) ? this.hired.get(index) : null;
		}
	}

}
