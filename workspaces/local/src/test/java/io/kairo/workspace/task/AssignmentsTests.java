package io.kairo.workspace.task;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Assignments}.
 */
class AssignmentsTests {

	@Test
	void cacheIsBounded() {
		Assignments assignments = new Assignments(100);
		for (int i = 0; i < 1000; i++) {
			assignments.search().add("t", "agent" + i, "w");
			assertThat(assignments.size()).isLessThanOrEqualTo(200);
			assertThat(assignments.find("t", "agent" + i)).isEqualTo("w");
		}
		assertThat(assignments.find("t", "agent0")).isNull();
	}

	@Test
	void cacheKeepsUsedEntries() {
		Assignments assignments = new Assignments(100);
		assignments.search().add("t", "used", "w");
		for (int i = 0; i < 1000; i++) {
			assignments.search().add("t", "agent" + i, "w");
			assertThat(assignments.find("t", "used")).isEqualTo("w");
		}
		assertThat(assignments.find("other", "used")).isNull();
	}

}
