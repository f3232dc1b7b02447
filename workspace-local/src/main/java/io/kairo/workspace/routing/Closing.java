package io.kairo.workspace.routing;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Releases the remaining workspaces, several at a time, as a provider may be slow. After
 * the timeout, releases continue in the background.
 */
final class Closing {

	private static final Logger logger = System.getLogger(Closing.class.getName());

	/** Maximum number of concurrent releases. */
	private static final int THREADS = 8;

	private final Queue<LeaseEntry> queue;

	private final CountDownLatch left;

	private final Consumer<LeaseEntry> giveBack;

	/**
	 * Prepares the releases.
	 * @param entries the remaining workspaces
	 * @param giveBack releases one workspace
	 */
	Closing(List<LeaseEntry> entries, Consumer<LeaseEntry> giveBack) {
		this.queue = new ConcurrentLinkedQueue<>(entries);
		this.left = new CountDownLatch(entries.size());
		this.giveBack = giveBack;
	}

	/**
	 * Releases the workspaces. Returns when they are released, after the timeout, or when
	 * the thread is interrupted, whose interrupt status is kept.
	 */
	void perform(Duration timeout) {
		long threads = Math.min(this.left.getCount(), THREADS);
		for (int i = 0; i < threads; i++) {
			Thread closer = new Thread(this::work, "kairo-workspace-close-" + i);
			closer.setDaemon(true);
			closer.start();
		}
		try {
			if (!this.left.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)) {
				logger.log(Level.WARNING, "{0} workspaces were not released within {1}", this.left.getCount(), timeout);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void work() {
		for (LeaseEntry entry = this.queue.poll(); entry != null; entry = this.queue.poll()) {
			try {
				this.giveBack.accept(entry);
			}
			finally {
				this.left.countDown();
			}
		}
	}

}
