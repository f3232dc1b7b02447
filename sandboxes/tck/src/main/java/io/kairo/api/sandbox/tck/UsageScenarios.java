package io.kairo.api.sandbox.tck;

import java.time.Duration;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scenarios for the usage of commands: a backend that claims to measure their CPU time
 * does, and any other reports none; output that is not retained is counted.
 */
abstract class UsageScenarios {

	/** Takes many times longer than {@link #SHORT}. */
	private static final String BUSY = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";

	private static final Duration SHORT = Duration.ofMillis(20);

	abstract Trial trial();

	private @Nullable Duration cpuTime(String command, UnaryOperator<SandboxRequest.Builder> changes) {
		try (SandboxHandle handle = trial().start(command, changes)) {
			Trial.exit(handle);
			return handle.cpuTime();
		}
	}

	private void assertMeasured(String command, UnaryOperator<SandboxRequest.Builder> changes) {
		Duration cpuTime = cpuTime(command, changes);
		if (trial().claims(SandboxCapability.CPU_TIME)) {
			assertThat(cpuTime).isGreaterThan(SHORT);
		}
		else {
			assertThat(cpuTime).isNull();
		}
	}

	@Test
	void cpuTimeOfABusyShellIsMeasured() {
		assertMeasured(BUSY, UnaryOperator.identity());
	}

	@Test
	void cpuTimeOfAChildIsMeasured() {
		assertMeasured("sh -c '" + BUSY + "'; true", UnaryOperator.identity());
	}

	@Test
	void cpuTimeOfACommandThatTimesOutIsMeasured() {
		trial().run("true");
		assertMeasured("sh -c 'while :; do :; done'; true", (request) -> request.timeout(Duration.ofMillis(700)));
	}

	/**
	 * Compares with the elapsed time: an emulated machine may take more than a second to
	 * start a program.
	 */
	@Test
	void sleepIsNoCpuTime() {
		long started = System.nanoTime();
		Duration cpuTime = cpuTime("sleep 1", UnaryOperator.identity());
		Duration elapsed = Duration.ofNanos(System.nanoTime() - started);
		assertThat((cpuTime != null) ? cpuTime : Duration.ZERO).isLessThan(elapsed.minusMillis(500));
	}

	@Test
	void outputThatIsNotRetainedIsCounted() {
		try (SandboxHandle handle = trial().start("printf 1234567890; printf 12345 >&2",
				(request) -> request.maxOutputBytes(4))) {
			SandboxExit exit = Trial.exit(handle);
			assertThat(exit.truncated()).isTrue();
			assertThat(handle.outputBytes()).isIn(-1L, 15L);
		}
	}

}
