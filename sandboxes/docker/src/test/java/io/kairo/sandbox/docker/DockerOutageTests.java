package io.kairo.sandbox.docker;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that nothing is left behind where the connection to the engine is cut, and that
 * commands can be run once it is back.
 */
@RequiresDocker
@Timeout(120)
class DockerOutageTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final int PARALLEL = 4;

	/** Is in the arguments of long commands only. */
	private static final String MARK = "8" + ProcessHandle.current().pid() + "." + System.nanoTime();

	private final DockerEngine engine = new DockerEngine(TestContainers.options());

	@TempDir
	Path temp;

	private Path workspace;

	private WorkspaceContainers containers;

	private EngineRelay relay;

	/** Those of other tests: the removal of a container is repeated for a minute. */
	private Set<Thread> threadsBefore;

	private ExecutionSandbox sandbox;

	@BeforeEach
	void connect() throws Exception {
		this.threadsBefore = Thread.getAllStackTraces().keySet();
		assumeThat(this.engine.address()).as("SKIPPED: the engine has no Unix domain socket").startsWith("unix://");
		this.workspace = Files.createDirectory(this.temp.toRealPath().resolve("workspace"));
		this.containers = new WorkspaceContainers(this.engine, this.workspace);
		this.relay = new EngineRelay(this.temp.resolve("relay"), this.engine.address());
		this.sandbox = TestContainers.sandbox(TestContainers.options()
			.with((changes) -> changes.host(this.relay.address()).lease(Duration.ofSeconds(3))));
	}

	@AfterEach
	void disconnect() throws Exception {
		((AutoCloseable) this.sandbox).close();
		this.relay.close();
		this.containers.awaitNone();
	}

	private SandboxHandle start(String command, Duration timeout) {
		return this.sandbox.start(new SandboxRequest.Builder(command, this.workspace).timeout(timeout).build());
	}

	private SandboxHandle startLong() {
		return start("(setsid sleep " + MARK + " &); sleep " + MARK, Duration.ofMinutes(2));
	}

	private static SandboxExit exit(SandboxHandle handle) {
		return Objects.requireNonNull(handle.exit().block(PATIENCE));
	}

	private void assertRuns() {
		try (SandboxHandle handle = start("echo > proof", Duration.ofSeconds(30))) {
			assertThat(exit(handle)).isEqualTo(new SandboxExit(0, null, false, false));
		}
		assertThat(this.workspace.resolve("proof")).exists();
	}

	private static boolean isLongRunning() {
		return ProcessHandle.allProcesses()
			.anyMatch((process) -> process.info().commandLine().orElse("").contains(MARK));
	}

	private static void awaitEndOfProcesses() {
		await().atMost(PATIENCE).untilAsserted(() -> assertThat(isLongRunning()).as("processes").isFalse());
	}

	private void assertNothingIsLeft() {
		awaitEndOfProcesses();
		this.containers.awaitNoneButForSweep();
	}

	/** Of the sandbox: the timer ends when it is idle. */
	private List<String> threads() {
		List<String> threads = new ArrayList<>();
		Thread.getAllStackTraces().forEach((thread, stack) -> {
			String name = thread.getName();
			boolean ours = (name.startsWith("kairo-") && !name.equals("kairo-shutdown")) || name.contains("docker")
					|| name.contains("httpclient");
			if (ours && !this.threadsBefore.contains(thread)) {
				threads.add(name + " at " + List.of(stack));
			}
		});
		return threads;
	}

	private static int openFiles() {
		return Objects.requireNonNull(new File("/proc/self/fd").list()).length;
	}

	private void closeAndAssertNothingIsHeld(int filesBefore) throws Exception {
		((AutoCloseable) this.sandbox).close();
		await().atMost(PATIENCE).untilAsserted(() -> {
			assertThat(threads()).as("threads").isEmpty();
			assertThat(openFiles()).as("open files").isLessThanOrEqualTo(filesBefore);
		});
	}

	@Test
	void commandsAreLostWithTheConnectionAndTheNextOnesRun() throws Exception {
		assertRuns();
		int files = openFiles();
		for (int round = 0; round < 3; round++) {
			List<SandboxHandle> running = IntStream.range(0, PARALLEL).mapToObj((i) -> startLong()).toList();
			assertThat(isLongRunning()).isTrue();
			cutUnderLoad();
			assertThat(running).allSatisfy((handle) -> {
				assertThat(exit(handle).signal()).isEqualTo(SandboxExit.LOST);
				handle.close();
			});
			assertNothingIsLeft();
			this.relay.restore();
			assertRuns();
		}
		closeAndAssertNothingIsHeld(files);
		assertNothingIsLeft();
	}

	/**
	 * Cuts the connection while several threads start one short command after another,
	 * and returns when all of them have noticed.
	 */
	private void cutUnderLoad() throws Exception {
		CountDownLatch completed = new CountDownLatch(PARALLEL * 5);
		ExecutorService threads = Executors.newFixedThreadPool(PARALLEL);
		try {
			List<Future<@Nullable Object>> ends = new ArrayList<>();
			for (int i = 0; i < PARALLEL; i++) {
				ends.add(threads.submit(() -> runUntilFailure(completed)));
			}
			assertThat(completed.await(1, TimeUnit.MINUTES)).isTrue();
			this.relay.cut();
			for (Future<@Nullable Object> end : ends) {
				assertThat(end.get(1, TimeUnit.MINUTES)).isIn(SandboxExit.LOST, SandboxErrorCode.START_FAILED);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private @Nullable Object runUntilFailure(CountDownLatch completed) {
		try {
			while (true) {
				try (SandboxHandle handle = start("echo output", Duration.ofSeconds(30))) {
					SandboxExit exit = exit(handle);
					if (exit.exitCode() != 0) {
						return exit.signal();
					}
				}
				completed.countDown();
			}
		}
		catch (SandboxException ex) {
			return ex.code();
		}
	}

	@Test
	void commandsThatAreRefusedWithoutConnectionHoldNothing() throws Exception {
		assertRuns();
		int files = openFiles();
		this.relay.cut();
		for (int attempt = 0; attempt < 20; attempt++) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(this::startLong)
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.START_FAILED));
		}
		closeAndAssertNothingIsHeld(files);
	}

	@Test
	void idleContainerEndsWithTheConnectionAndIsReplaced() throws Exception {
		assertRuns();
		List<String> first = this.containers.ids();
		assertThat(first).hasSize(1);
		this.relay.cut();
		assertNothingIsLeft();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(this::startLong)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.START_FAILED));
		this.relay.restore();
		assertRuns();
		assertThat(this.containers.ids()).hasSize(1).doesNotContainAnyElementsOf(first);
	}

	@Test
	void closeWithoutConnectionLeavesNothing() throws Exception {
		assertRuns();
		int files = openFiles();
		List<SandboxHandle> running = IntStream.range(0, PARALLEL).mapToObj((i) -> startLong()).toList();
		Thread cut = new Thread(() -> {
			try {
				this.relay.cut();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		cut.start();
		closeAndAssertNothingIsHeld(files);
		cut.join();
		assertThat(running)
			.allSatisfy((handle) -> assertThat(exit(handle).signal()).isIn(SandboxExit.LOST, SandboxExit.CANCELLED));
		assertNothingIsLeft();
	}

	@Test
	void containersEndWithTheLeaseWhereTheConnectionIsStalled() throws Exception {
		SandboxHandle handle = start("yes & sleep " + MARK, Duration.ofSeconds(4));
		assertThat(isLongRunning()).isTrue();
		this.relay.stall();
		awaitEndOfProcesses();
		assertThat(exit(handle).signal()).isEqualTo(SandboxExit.TIMEOUT);
		// the engine keeps the container until its output has been taken
		this.relay.cut();
		assertNothingIsLeft();
		this.relay.restore();
		assertRuns();
	}

	@Test
	void protectedPathsStayProtectedUntilTheCommandHasEnded() throws Exception {
		Path config = this.workspace.resolve(".git").resolve("config");
		SandboxAttributes attributes = SandboxAttributes.builder().protectedPaths(List.of(".git/config")).build();
		try (DockerSandbox patient = new DockerSandbox(TestContainers.options()
			.with((changes) -> changes.host(this.relay.address()).lease(Duration.ofSeconds(9))))) {
			assertRuns();
			SandboxHandle handle = patient.start(new SandboxRequest.Builder(
					"(setsid sleep " + MARK
							+ " &); while :; do mkdir -p .git; echo evil > .git/config; sleep 0.02; done",
					this.workspace)
				.attributes(attributes)
				.timeout(Duration.ofSeconds(2))
				.build());
			this.relay.stall();
			assertThat(exit(handle).signal()).isEqualTo(SandboxExit.TIMEOUT);
			assertThat(isLongRunning()).as("the command").isTrue();
			awaitEndOfProcesses();
			assertThat(this.workspace.resolve(".git")).isEmptyDirectory();
			this.relay.cut();
			this.relay.restore();
			await().atMost(PATIENCE)
				.untilAsserted(() -> assertThat(config.getParent()).as("placeholder").doesNotExist());
		}
	}

}
