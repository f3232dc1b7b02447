package io.kairo.sandbox.support.mount;

import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.sandbox.support.mount.MountPlan.Entry;
import io.kairo.sandbox.support.mount.MountPlan.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MountPlan}.
 */
class MountPlanTests {

	private final MountPlan plan = new MountPlan();

	private static Entry entry(Kind kind, String source, String target) {
		return new Entry(kind, Path.of(source), Path.of(target));
	}

	private void add(Kind kind, String source, String target) {
		this.plan.add(kind, Path.of(source), Path.of(target));
	}

	@Test
	void outerMountsComeBeforeInnerOnesAndTheStrictestWins() {
		add(Kind.READ_ONLY, "/w/b/c", "/b/c");
		add(Kind.WRITABLE, "/w/b", "/b");
		add(Kind.HIDDEN, "/w/a/d", "/a/d");
		add(Kind.READ_ONLY, "/w/a/d", "/a/d");
		add(Kind.PINNED, "/w/b", "/b");
		assertThat(this.plan.entries()).containsExactly(entry(Kind.WRITABLE, "/w/b", "/b"),
				entry(Kind.HIDDEN, "/w/a/d", "/a/d"), entry(Kind.READ_ONLY, "/w/b/c", "/b/c"));
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void linesAreThoseOfTheMountTable() throws Exception {
		add(Kind.READ_ONLY, "/proc", "/proc");
		add(Kind.HIDDEN, "/proc/a", "/proc/b c");
		assertThat(this.plan.lines()).hasSize(2).last().isEqualTo("/ /proc/b\\040c");
		assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).contains(" " + this.plan.lines().get(0) + " ");
	}

}
