package io.kairo.tools;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A reporter of progress on its own thread, started on first use. A slow listener
 * receives only the latest progress, with the end of the text of those that it missed,
 * and never delays the command: at the end it gets half a second, and is then
 * interrupted. Safe for use by several threads.
 */
public final class LatestProgress implements AutoCloseable {

	private static final Logger logger = System.getLogger(LatestProgress.class.getName());

	private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private final Consumer<ToolProgress> listener;

	private @Nullable Thread worker;

	private @Nullable ToolProgress latest;

	private boolean telling;

	private boolean closed;

	/**
	 * Creates a reporter without starting its thread.
	 * @param listener the listener; its failures are logged
	 */
	public LatestProgress(Consumer<ToolProgress> listener) {
		this.listener = listener;
	}

	/**
	 * Reports progress without waiting for the listener.
	 * @param progress the progress
	 */
	public synchronized void report(ToolProgress progress) {
		if (this.closed) {
			return;
		}
		this.latest = (this.latest != null) ? progress.after(this.latest) : progress;
		if (this.worker == null) {
			this.worker = new Thread(this::tell, "kairo-progress");
			this.worker.setDaemon(true);
			try {
				this.worker.start();
			}
			catch (OutOfMemoryError ex) {
				logger.log(Level.DEBUG, "Failed to start the thread that reports progress; this call reports none", ex);
				this.closed = true;
			}
		}
		notifyAll();
	}

	/**
	 * Stops reporting. The listener is not called afterwards.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		notifyAll();
		long deadline = System.nanoTime() + PATIENCE_NANOS;
		long left = PATIENCE_NANOS;
		try {
			while (this.telling && left > 0) {
				TimeUnit.NANOSECONDS.timedWait(this, left);
				left = deadline - System.nanoTime();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (this.telling && this.worker != null) {
			this.worker.interrupt();
		}
	}

	private void tell() {
		ToolProgress progress = next();
		while (progress != null) {
			try {
				this.listener.accept(progress);
			}
			catch (RuntimeException ex) {
				logger.log(Level.DEBUG, "The progress listener failed", ex);
			}
			finally {
				told();
			}
			progress = next();
		}
	}

	/**
	 * Waits for progress to report.
	 * @return the progress, null at the end
	 */
	private synchronized @Nullable ToolProgress next() {
		try {
			while (this.latest == null && !this.closed) {
				wait();
			}
		}
		catch (InterruptedException ex) {
			logger.log(Level.DEBUG,
					"The progress listener interrupted its thread; this call reports no further progress", ex);
			this.closed = true;
		}
		ToolProgress progress = this.closed ? null : this.latest;
		this.latest = null;
		this.telling = progress != null;
		return progress;
	}

	private synchronized void told() {
		this.telling = false;
		notifyAll();
	}

}
