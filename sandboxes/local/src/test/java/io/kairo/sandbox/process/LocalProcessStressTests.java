package io.kairo.sandbox.process;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests a {@link LocalProcessSandbox} with many commands.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(900)
class LocalProcessStressTests {

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
	void startsAndCancelsAtRandomMomentsReleaseTheirResources() {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		Commands commands = commands();
		commands.run("true");
		int files = openFiles();
		String command = this.marker.sleep();
		Deque<SandboxHandle> running = new ArrayDeque<>();
		for (int i = 0; i < StressLevel.select(20, 1000); i++) {
			running.add(commands.start((i % 2 == 0) ? command : "(setsid " + command + " &); echo x; exit 3"));
			LockSupport.parkNanos(random.nextInt(5_000_000));
			if (running.size() > 5) {
				end(running.remove(), random.nextBoolean(), seed);
			}
		}
		running.forEach((handle) -> end(handle, true, seed));
		assertThat(this.marker.alive()).as("seed " + seed).isEmpty();
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

	@ParameterizedTest
	@MethodSource("commandCounts")
	void manyCommandsRunInParallel(int count) {
		commands().run("true");
		int files = openFiles();
		List<SandboxHandle> handles = new ArrayList<>();
		long started = System.nanoTime();
		for (int i = 0; i < count; i++) {
			handles
				.add(commands().start("sleep 1; exit " + i % 100, (request) -> request.timeout(Duration.ofMinutes(5))));
		}
		for (int i = 0; i < handles.size(); i++) {
			assertThat(handles.get(i).exit().block(Duration.ofMinutes(5)))
				.isEqualTo(new SandboxExit(i % 100, null, false, false));
		}
		assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(20 + count / 10));
		handles.forEach(SandboxHandle::close);
		await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
			assertThat(openFiles()).isLessThanOrEqualTo(files);
			assertThat(ProcessHandle.current().children()).isEmpty();
		});
	}

	static IntStream commandCounts() {
		return IntStream.of(StressLevel.select(30, 1000));
	}

}
