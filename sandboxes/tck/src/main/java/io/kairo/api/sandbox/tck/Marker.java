package io.kairo.api.sandbox.tck;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A unique number of seconds to sleep, to identify the processes of a test.
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

	/**
	 * Waits until the processes of a command run or it has ended.
	 * @return whether the processes were seen to run
	 */
	boolean awaitAlive(int least, SandboxHandle handle) {
		CompletableFuture<SandboxExit> exit = handle.exit().toFuture();
		AtomicBoolean alive = new AtomicBoolean();
		await("processes of the command, or its end").atMost(Trial.PATIENCE).until(() -> {
			alive.set(alive() >= least);
			return alive.get() || exit.isDone();
		});
		return alive.get();
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
