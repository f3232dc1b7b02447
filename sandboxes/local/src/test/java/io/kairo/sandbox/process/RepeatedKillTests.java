package io.kairo.sandbox.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no process survives repeated kills of process trees of different shapes at
 * random moments.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(900)
class RepeatedKillTests {

	/** Commands that print a line once their processes have been started. */
	private static final List<String> SHAPES = List.of("echo up; exec %s", "%s & echo up; %s",
			"(setsid %s &); echo up; %s", "(setsid sh -c '(%s &) ; (%s &)' &); echo up; %s",
			"trap '' TERM; %s & echo up; %s", "%s & echo up; sleep 0.002");

	/** Leaves a process without parent, session, process group and environment. */
	private static final String ORPHAN = "(env -i setsid sh -c '(%s &)' &); echo up; %s";

	private static final String FORK_STORM = "for i in $(seq 200); do %s & done; echo up; wait";

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	private final Marker marker = new Marker();

	@TempDir
	Path workspace;

	@AfterEach
	void close() {
		this.sandbox.close();
		this.marker.close();
	}

	@Test
	void killEndsTheProcessTreeWithinTheDeadline() {
		boolean treeKill = this.sandbox.capabilities().has(SandboxCapability.TREE_KILL);
		assertThat(treeKill).isEqualTo(HostFeatures.canCreateControlGroups());
		long seed = System.nanoTime();
		Random random = new Random(seed);
		for (int round = 0; round < StressLevel.killedCommands(); round++) {
			String shape = SHAPES.get(round % SHAPES.size());
			if (treeKill && round % 7 == 6) {
				shape = ORPHAN;
			}
			if (round % 40 == 20) {
				shape = FORK_STORM;
			}
			kill(shape, random, "seed " + seed + ", round " + round + ", " + shape);
		}
	}

	private void kill(String shape, Random random, String description) {
		boolean byTimeout = random.nextInt(4) == 0;
		Duration timeout = byTimeout ? Duration.ofMillis(150) : Duration.ofMinutes(1);
		Commands commands = new Commands(this.sandbox, this.workspace);
		try (SandboxHandle handle = commands.start(shape.replace("%s", this.marker.sleep()),
				(request) -> request.timeout(timeout))) {
			assertThat(handle.output().blockFirst(Duration.ofSeconds(20))).as(description).satisfies((chunk) -> {
				if (!byTimeout) {
					assertThat(chunk).isNotNull();
				}
			});
			LockSupport.parkNanos(random.nextInt(4_000_000));
			long started = System.nanoTime();
			if (!byTimeout) {
				handle.cancel();
			}
			SandboxExit exit = handle.exit().block(Duration.ofSeconds(20));
			Duration took = Duration.ofNanos(System.nanoTime() - started);
			assertThat(this.marker.alive()).as(description).isEmpty();
			assertThat(took).as(description).isLessThan((byTimeout ? timeout : Duration.ZERO).plusMillis(1500));
			assertThat(exit.signal()).as(description).isIn(SandboxExit.CANCELLED, SandboxExit.TIMEOUT, null);
		}
	}

}
