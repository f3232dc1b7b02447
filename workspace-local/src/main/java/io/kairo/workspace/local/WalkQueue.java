package io.kairo.workspace.local;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The directories that a walk has still to go into, the last found first, so that few are
 * open at a time. Safe for use by several threads.
 *
 * @param <T> what is known of a directory
 */
final class WalkQueue<T> {

	private final Deque<T> tasks = new ArrayDeque<>();

	private int active;

	private boolean over;

	/**
	 * Adds directories, the first of which is taken first.
	 * @return how many wait now
	 */
	synchronized int add(List<T> added) {
		for (int i = added.size() - 1; i >= 0; i--) {
			this.tasks.push(added.get(i));
		}
		if (added.size() > 1) {
			notifyAll();
		}
		return this.tasks.size();
	}

	/**
	 * Takes a directory, waiting for one as long as others may add some. Each is to be
	 * {@linkplain #done done} by whoever took it.
	 * @return null if the walk is over
	 */
	synchronized @Nullable T take() {
		boolean interrupted = false;
		while (!this.over && this.tasks.isEmpty() && this.active > 0) {
			try {
				wait();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		if (this.over || this.tasks.isEmpty()) {
			return null;
		}
		this.active++;
		return this.tasks.pop();
	}

	synchronized void done() {
		this.active--;
		if (this.active == 0) {
			notifyAll();
		}
	}

	/**
	 * Lets nobody take anything any more.
	 * @return what is left, to be released
	 */
	synchronized List<T> end() {
		this.over = true;
		List<T> left = List.copyOf(this.tasks);
		this.tasks.clear();
		notifyAll();
		return left;
	}

}
