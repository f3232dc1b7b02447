package io.kairo.sandbox.support.process;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MonitoredTreeScan}.
 */
class MonitoredTreeScanTests {

	private static final ProcessHandle MONITOR = ProcessHandle.current();

	private static final ProcessHandle OTHER = ProcessHandle.of(1).orElseThrow();

	@Test
	void monitorIsTheLastMember() {
		assertThat(scan(MONITOR, OTHER).members()).containsExactly(OTHER);
		assertThat(scan(OTHER).members()).containsExactly(OTHER);
		assertThat(scan(MONITOR).members()).containsExactly(MONITOR);
		assertThat(scan().members()).isEmpty();
	}

	private static MonitoredTreeScan scan(ProcessHandle... members) {
		return new MonitoredTreeScan(() -> List.of(members), MONITOR);
	}

}
