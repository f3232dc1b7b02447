package io.kairo.api.sandbox.tck;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToIntFunction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A unique number of seconds to sleep, which identifies the processes of a test.
 */
final class Marker implements AutoCloseable {

	private final String seconds = "7" + ThreadLocalRandom.current().nextLong(10_000_000L, 100_000_000L);

	private final ToIntFunction<String> processes;

	Marker(ToIntFunction<String> processes) {
		this.processes = processes;
	}

	/**
	 * Replaces each {@code %s} in a command with a command that takes very long.
	 */
	String in(String command) {
		return command.replace("%s", "sleep " + this.seconds);
	}

	int alive() {
		return this.processes.applyAsInt(this.seconds);
	}

	/**
	 * Waits until the processes of a command run. A test that ends them earlier would
	 * prove nothing.
	 */
	void awaitAlive(int least) {
		await("processes of the command").atMost(Trial.PATIENCE).until(() -> alive() >= least);
	}

	void assertNoneAlive() {
		assertThat(alive()).as("processes of the command that are still alive").isZero();
	}

	/**
	 * Ends the leftovers of a failed test.
	 */
	@Override
	public void close() {
		HostProcesses.withArgument(this.seconds).forEach(ProcessHandle::destroyForcibly);
	}

}
