package io.kairo.sandbox.process;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that a {@link LocalProcessSandbox} stands many commands. With the system property
 * {@code kairo.stress=long} there are as many as promised, else a tenth.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(900)
class StressTests {

	private static final int TIMES = "long".equals(System.getProperty("kairo.stress")) ? 10 : 1;

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	private final Marker marker = new Marker();

	@TempDir
	Path workspace;

	private Commands commands() {
		return new Commands(this.sandbox, this.workspace);
	}

	@AfterEach
	void close() {
		this.sandbox.close();
		this.marker.close();
	}

	private static int openFiles() {
		String[] files = new File("/proc/self/fd").list();
		return (files != null) ? files.length : 0;
	}

	@Test
	void startsAndCancelsAtAnyMomentLeaveNothing() {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		Commands commands = commands();
		commands.run("true");
		int files = openFiles();
		String command = this.marker.sleep();
		Deque<SandboxHandle> running = new ArrayDeque<>();
		for (int i = 0; i < 100 * TIMES; i++) {
			running.add(commands.start((i % 2 == 0) ? command : "(setsid " + command + " &); echo x; exit 3"));
			LockSupport.parkNanos(random.nextInt(5_000_000));
			if (running.size() > 5) {
				end(running.remove(), random.nextBoolean(), seed);
			}
		}
		running.forEach((handle) -> end(handle, true, seed));
		assertThat(this.marker.survivors()).as("seed " + seed).isEmpty();
		await().untilAsserted(() -> assertThat(openFiles()).isLessThanOrEqualTo(files));
	}

	private static void end(SandboxHandle handle, boolean cancel, long seed) {
		if (cancel) {
			handle.cancel();
		}
		else {
			handle.close();
		}
		assertThat(handle.exit().block(Duration.ofSeconds(20))).as("seed " + seed)
			.isIn(new SandboxExit(-1, SandboxExit.CANCELLED, false, false), new SandboxExit(3, null, false, false));
		handle.close();
	}

	@Test
	void manyCommandsRunAtTheSameTime() {
		List<SandboxHandle> handles = new ArrayList<>();
		long started = System.nanoTime();
		for (int i = 0; i < 100 + 100 * (TIMES - 1) / 9; i++) {
			handles.add(commands().start("sleep 1; exit " + i % 100));
		}
		for (int i = 0; i < handles.size(); i++) {
			assertThat(handles.get(i).exit().block(Duration.ofSeconds(60)).exitCode()).isEqualTo(i % 100);
		}
		assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(30));
		handles.forEach(SandboxHandle::close);
	}

	@Test
	void noOrphanSurvivesAnyOfManyKills() {
		assertThat(this.sandbox.capabilities().has(SandboxCapability.TREE_KILL))
			.isEqualTo(Machine.makesControlGroups());
		boolean untied = Machine.makesControlGroups();
		String attack = (untied ? "(env -i setsid sh -c '(%s &)' &)" : "(setsid sh -c '(%s &)' &)")
				+ "; trap '' TERM; %s";
		for (int i = 0; i < 20 * TIMES; i++) {
			try (SandboxHandle handle = commands().start(attack.replace("%s", this.marker.sleep()))) {
				await().pollInterval(Duration.ofMillis(5)).until(() -> this.marker.survivors().size() == 2);
				long cancelled = System.nanoTime();
				handle.cancel();
				handle.exit().block();
				assertThat(this.marker.survivors()).isEmpty();
				assertThat(Duration.ofNanos(System.nanoTime() - cancelled)).isLessThan(Duration.ofMillis(1500));
			}
		}
	}

	@Test
	@EnabledIfSystemProperty(named = "kairo.stress", matches = "long")
	void aGigabyteOfOutputFitsIntoASmallHeap() throws Exception {
		Process jvm = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-Xmx64m", "-cp",
				System.getProperty("java.class.path"), "-Djava.io.tmpdir=" + this.workspace, MuchOutput.class.getName())
			.redirectErrorStream(true)
			.start();
		String output = new String(jvm.getInputStream().readAllBytes());
		assertThat(jvm.waitFor(10, TimeUnit.SECONDS)).isTrue();
		assertThat(output).isEqualTo("0 " + ((1L << 30) - (1 << 20)) + "\n");
	}

}
