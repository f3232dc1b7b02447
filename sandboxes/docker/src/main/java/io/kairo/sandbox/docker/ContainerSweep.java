package io.kairo.sandbox.docker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.sandbox.support.thread.DaemonThreads;

/**
 * Removes the containers that killed applications left in the engine: they were created
 * and not started, or the engine did not remove them. Containers that run belong to a
 * living application, since they would have ended without it, so that several
 * applications can share an engine. Safe for use by several threads.
 */
final class ContainerSweep {

	private static final Logger logger = System.getLogger(ContainerSweep.class.getName());

	private static final Duration PAUSE = Duration.ofMinutes(1);

	private final DockerEngine engine;

	/** Zero before the first one. */
	private final AtomicLong last = new AtomicLong();

	ContainerSweep(DockerEngine engine) {
		this.engine = engine;
	}

	/**
	 * Sweeps on another thread, unless the last sweep was less than a minute ago.
	 */
	void runIfDue() {
		long before = this.last.get();
		long now = System.nanoTime() | 1;
		if ((before == 0 || now - before > PAUSE.toNanos()) && this.last.compareAndSet(before, now)) {
			DaemonThreads.start("kairo-container-sweep", this::run);
		}
	}

	private void run() {
		try {
			int removed = this.engine.sweep(ContainerFactory.LABEL, this.engine.now());
			if (removed > 0) {
				logger.log(Level.INFO, "Removed " + removed + " containers of applications that are gone");
			}
		}
		catch (RuntimeException ex) {
			logger.log(Level.DEBUG, "Containers of applications that are gone could not be removed", ex);
		}
	}

}
