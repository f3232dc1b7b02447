package io.kairo.sandbox.support.process;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LiveCpuTime}.
 */
class LiveCpuTimeTests {

	@Test
	void timesOfTheProcessAndOfThoseItWaitedForAreAdded() {
		assertThat(LiveCpuTime.parse("7 (a) b) c) S 1 7 7 0 -1 4194560 11 12 13 14 100 20 3 4 20 0 1 0 99 0"))
			.isEqualTo(127);
	}

	@Test
	void processThatHasEndedHasNone() throws Exception {
		Process process = new ProcessBuilder("true").start();
		ProcessHandle handle = process.toHandle();
		process.waitFor();
		assertThat(LiveCpuTime.of(List.of(handle))).isEqualTo(Duration.ZERO);
	}

}
