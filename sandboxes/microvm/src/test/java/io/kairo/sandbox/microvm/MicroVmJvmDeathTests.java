package io.kairo.sandbox.microvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that no process and no socket of a {@link MicroVmSandbox} survives a kill of its
 * JVM.
 */
@RequiresMicroVm
@Timeout(300)
class MicroVmJvmDeathTests {

	/** Number of JVMs that are killed while they start a machine. */
	private static final int ROUNDS = Integer.getInteger("kairo.sandbox.kill.rounds", 4);

	private static final int LONGEST_DELAY_MILLIS = 1500;

	private final String name = "workspace-" + ThreadLocalRandom.current().nextLong(10_000_000L, 100_000_000L);

	@TempDir
	private Path directory;

	@TempDir
	private Path temporary;

	private Path workspace() throws IOException {
		Path workspace = Files.createDirectories(this.directory.resolve(this.name));
		MicroVmFixture.grantAccess(workspace);
		MicroVmFixture.grantAccess(this.temporary);
		return workspace;
	}

	/**
	 * Returns the processes that show the workspace to a machine, and all that belong to
	 * the same sandbox.
	 */
	private List<ProcessHandle> alive() {
		return ProcessHandle.allProcesses()
			.filter((process) -> file(process, "cmdline").contains(this.temporary.toString()))
			.toList();
	}

	private static String file(ProcessHandle process, String name) {
		try {
			return Files.readString(Path.of("/proc/" + process.pid() + "/" + name), StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			return "";
		}
	}

	private Process startJvm(String... more) throws IOException {
		Path workspace = workspace();
		List<String> command = new ArrayList<>(StayingProgram.commandLine(workspace, "sleep 300"));
		command.add(1, "-Djava.io.tmpdir=" + this.temporary);
		command.addAll(List.of(more));
		return new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
	}

	private void assertNothingIsLeft(Process jvm) {
		await().during(Duration.ofMillis(500))
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(alive()).isEmpty());
		assertThat(jvm.isAlive()).isFalse();
	}

	@Test
	void killOfTheJvmEndsItsMachinesAndThoseStartedAhead() throws Exception {
		Process jvm = startJvm("unchecked", "ahead");
		try (BufferedReader output = jvm.inputReader()) {
			assertThat(output.readLine()).isEqualTo("starting");
			assertThat(output.readLine()).isEqualTo("started");
			// two emulators, four file servers, and what confines them
			assertThat(alive()).hasSizeGreaterThan(12);
			assertThat(sockets()).isEmpty();
			jvm.toHandle().destroyForcibly();
			jvm.waitFor();
			assertNothingIsLeft(jvm);
		}
		finally {
			jvm.destroyForcibly().waitFor();
		}
	}

	private List<Path> sockets() throws IOException {
		try (Stream<Path> files = Files.walk(this.temporary)) {
			return files
				.filter((file) -> file.getParent().getFileName().toString().startsWith("machine")
						&& List.of("system", "work").contains(file.getFileName().toString()))
				.toList();
		}
	}

	@Test
	void killOfTheJvmEndsAMachineThatIsBeingStarted() throws Exception {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		for (int round = 0; round < ROUNDS; round++) {
			int delay = random.nextInt(LONGEST_DELAY_MILLIS);
			Process jvm = startJvm("unchecked");
			try (BufferedReader output = jvm.inputReader()) {
				assertThat(output.readLine()).isEqualTo("starting");
				assertThat(jvm.waitFor(delay, TimeUnit.MILLISECONDS)).isFalse();
				jvm.toHandle().destroyForcibly();
				jvm.waitFor();
				assertThat(output.readLine()).as("seed %s, %s ms", seed, delay).isNull();
				assertNothingIsLeft(jvm);
			}
			finally {
				jvm.destroyForcibly().waitFor();
			}
		}
	}

}
