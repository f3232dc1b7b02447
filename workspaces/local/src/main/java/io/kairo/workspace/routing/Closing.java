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
 * Releases the remaining workspaces, several at a time, since a provider can be slow.
 * Releases that do not complete within the timeout continue in the background.
 */
final class Closing {

	private static final Logger logger = System.getLogger(Closing.class.getName());

	/** Number of concurrent releases. */
	private static final int THREADS = 8;

	private final Queue<LeaseEntry> queue;

	private final CountDownLatch left;

	private final Consumer<LeaseEntry> giveBack;

	/**
	 * Creates the operation.
	 * @param entries the remaining workspaces
	 * @param giveBack releases a workspace
	 */
	Closing(List<LeaseEntry> entries, Consumer<LeaseEntry> giveBack) {
		this.queue = new ConcurrentLinkedQueue<>(entries);
		this.left = new CountDownLatch(entries.size());
		this.giveBack = giveBack;
	}

	/**
	 * Performs the releases. Returns when they are complete, when the timeout expires, or
	 * when the thread is interrupted, with its interrupt status set.
	 * @param timeout the maximum time to wait
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
				logger.log(Level.WARNING,
						"{0} workspaces were not released within {1}: their providers continue in the background",
						this.left.getCount(), timeout);
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
