package io.kairo.api.sandbox.tck;

import java.io.File;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The resources that the JVM holds.
 *
 * @param files the number of open files, 0 if they cannot be listed
 * @param threads the number of threads
 * @param processes the number of child processes
 */
record ResourceLevel(int files, int threads, int processes) {

	static ResourceLevel now() {
		String[] files = new File("/proc/self/fd").list();
		long threads = Thread.getAllStackTraces().keySet().stream().filter(ResourceLevel::counts).count();
		return new ResourceLevel((files != null) ? files.length : 0, (int) threads,
				(int) ProcessHandle.current().children().count());
	}

	/**
	 * Waits until the level is stable.
	 */
	static ResourceLevel steady() {
		AtomicReference<ResourceLevel> last = new AtomicReference<>(now());
		await().atMost(Trial.PATIENCE)
			.pollInterval(Duration.ofMillis(200))
			.until(() -> now().equals(last.getAndSet(now())));
		return Objects.requireNonNull(last.get());
	}

	void awaitAgain() {
		await().atMost(Trial.PATIENCE).untilAsserted(() -> {
			ResourceLevel now = now();
			assertThat(now.files).as("open files").isLessThanOrEqualTo(this.files);
			assertThat(now.threads).as("threads").isLessThanOrEqualTo(this.threads);
			assertThat(now.processes).as("processes").isLessThanOrEqualTo(this.processes);
		});
	}

	/**
	 * Returns whether a thread counts. Threads of the Java platform and of the test tools
	 * do not.
	 */
	private static boolean counts(Thread thread) {
		String name = thread.getName();
		return !name.startsWith("process reaper") && !name.startsWith("awaitility");
	}

}
