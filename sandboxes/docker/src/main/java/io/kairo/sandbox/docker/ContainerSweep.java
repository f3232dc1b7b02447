package io.kairo.sandbox.docker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import com.github.dockerjava.api.command.InspectVolumeResponse;
import com.github.dockerjava.api.model.Container;
import io.kairo.sandbox.support.thread.DaemonThreads;

/**
 * Removes the containers and volumes that killed applications left in the engine: the
 * containers were created and not started, or the engine did not remove them. Containers
 * that run belong to a living application, since they would have ended without it, so
 * that several applications can share an engine. Safe for use by several threads.
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
			Instant now = this.engine.now();
			int removed = remove(ContainerFactory.LABEL, now);
			removeVolumes(ContainerFactory.LABEL, now);
			if (removed > 0) {
				logger.log(Level.INFO, "Removed " + removed + " containers of applications that are gone");
			}
		}
		catch (RuntimeException ex) {
			logger.log(Level.DEBUG, "Containers of applications that are gone could not be removed", ex);
		}
	}

	/**
	 * Removes containers of Kairo that no application can use anymore: they do not run
	 * and should have been started by now. Running ones belong to a living application;
	 * without it they would have ended. A container that cannot be removed is left to the
	 * next sweep.
	 * @param label a label of such containers
	 * @param now the time
	 * @return number of removed containers
	 */
	int remove(String label, Instant now) {
		int removed = 0;
		for (Container container : this.engine.containers(label, List.of("created", "exited", "dead"))) {
			try {
				long seconds = Long.parseLong(container.getLabels().getOrDefault(ContainerFactory.START_WITHIN, "60"));
				if (Instant.ofEpochSecond(container.getCreated()).plusSeconds(seconds).isBefore(now)) {
					this.engine.remove(container.getId(), true);
					removed++;
				}
			}
			catch (RuntimeException ex) {
				logger.log(Level.DEBUG, "The container " + container.getId() + " could not be removed", ex);
			}
		}
		return removed;
	}

	/**
	 * Removes volumes of sessions that no container has, and none is being created for.
	 * @param label a label of such volumes
	 * @param now the time
	 */
	void removeVolumes(String label, Instant now) {
		for (InspectVolumeResponse volume : this.engine.unusedVolumes(label)) {
			Object created = volume.getRawValues().get("CreatedAt");
			if (created != null && OffsetDateTime.parse(created.toString())
				.toInstant()
				.plus(ContainerFactory.START)
				.isBefore(now)) {
				this.engine.removeVolume(volume.getName());
			}
		}
	}

}
