package io.kairo.sandbox.remote;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.remote.WorkerState.Status;
import io.kairo.sandbox.remote.server.RemoteClient;
import io.kairo.sandbox.remote.server.SandboxServer;
import io.kairo.sandbox.remote.server.SandboxServerOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RemoteSandbox} with several workers.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class RemoteWorkersTests {

	private static final boolean LONG = "long".equals(System.getProperty("kairo.stress"));

	@TempDir
	Path workspace;

	private final LocalProcessSandbox local = new LocalProcessSandbox();

	private final List<SandboxServer> servers = new ArrayList<>();

	private final List<Process> programs = new ArrayList<>();

	private final List<RemoteSandbox> sandboxes = new ArrayList<>();

	/**
	 * Commands read lines from it; open for both, so that no side waits for the other.
	 */
	private RandomAccessFile gate;

	@BeforeEach
	void createGate() throws Exception {
		Path pipe = this.workspace.resolve("gate");
		assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
		this.gate = new RandomAccessFile(pipe.toFile(), "rw");
	}

	@AfterEach
	void close() throws Exception {
		this.sandboxes.forEach(RemoteSandbox::close);
		this.servers.forEach(SandboxServer::close);
		this.local.close();
		this.gate.close();
		for (Process program : this.programs) {
			program.outputWriter().close();
			assertThat(program.waitFor(20, TimeUnit.SECONDS)).isTrue();
		}
	}

	/**
	 * Lets commands go on that wait, or will.
	 */
	private void openGate(int commands) throws IOException {
		this.gate.write("\n".repeat(commands).getBytes(StandardCharsets.US_ASCII));
	}

	private URI server(UnaryOperator<SandboxServerOptions> change) {
		return server(this.local, change);
	}

	private URI server(ExecutionSandbox sandbox, UnaryOperator<SandboxServerOptions> change) {
		SandboxServer server = new SandboxServer(sandbox,
				change
					.apply(SandboxServerOptions.of(new RemoteClient("tests", RemotePair.TOKEN, Set.of(), List.of("/")))
						.withLease(Duration.ofSeconds(2))));
		this.servers.add(server);
		return address(Objects.requireNonNull(server.address()).getPort());
	}

	/**
	 * Returns a worker in a JVM of its own, which can be killed, and others.
	 */
	private URI[] workers() {
		return Stream.concat(Stream.of(program()), others()).toArray(URI[]::new);
	}

	private Stream<URI> others() {
		return LONG ? Stream.generate(this::program).limit(3)
				: Stream.of(server((options) -> options.withLease(Duration.ofSeconds(10))));
	}

	private URI program() {
		try {
			Process program = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(),
					"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m", "-cp",
					System.getProperty("java.class.path"), WorkerProgram.class.getName(), "5")
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			this.programs.add(program);
			BufferedReader output = program.inputReader();
			return address(Integer.parseInt(output.readLine()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static URI address(int port) {
		return URI.create("http://127.0.0.1:" + port);
	}

	private RemoteSandbox sandbox(UnaryOperator<RemoteSandboxOptions> change, URI... workers) {
		RemoteSandbox sandbox = new RemoteSandbox(
				change.apply(RemoteSandboxOptions.of(workers[0], RemotePair.TOKEN, new PathMapping(Path.of("/"), "/"))
					.with((options) -> options.workers(List.of(workers)).patience(Duration.ofSeconds(30)))));
		this.sandboxes.add(sandbox);
		return sandbox;
	}

	private RemoteSandbox sandbox(URI... workers) {
		return sandbox((options) -> options, workers);
	}

	private RemoteSandbox connected(URI... workers) {
		RemoteSandbox sandbox = sandbox(workers);
		await().atMost(Duration.ofMinutes(1)).until(() -> {
			sandbox.connect();
			return Set.of(Status.UP).containsAll(status(sandbox));
		});
		return sandbox;
	}

	private SandboxHandle start(RemoteSandbox sandbox, String command) {
		return sandbox
			.start(new SandboxRequest.Builder(command, this.workspace).timeout(Duration.ofSeconds(100)).build());
	}

	private static SandboxExit exit(SandboxHandle handle) {
		return Objects.requireNonNull(handle.exit().block(Duration.ofSeconds(90)));
	}

	private static List<Integer> commands(RemoteSandbox sandbox) {
		return sandbox.workers().stream().map(WorkerState::commands).toList();
	}

	private static List<Status> status(RemoteSandbox sandbox) {
		return sandbox.workers().stream().map(WorkerState::status).toList();
	}

	private List<SandboxHandle> startMany(RemoteSandbox sandbox, int count) {
		return IntStream.range(0, count)
			.parallel()
			.mapToObj((i) -> start(sandbox, "echo run >> ran-" + i + "; read line < gate; exit 7"))
			.toList();
	}

	private long started() throws IOException {
		try (var files = Files.list(this.workspace)) {
			return files.filter((file) -> file.getFileName().toString().startsWith("ran-")).count();
		}
	}

	private void assertEachRanOnce(int count) {
		for (int i = 0; i < count; i++) {
			assertThat(this.workspace.resolve("ran-" + i)).hasContent("run");
		}
	}

	@Test
	void manyCommandsAtOnceAreSpreadOverTheWorkers() throws Exception {
		int all = LONG ? 1000 : 40;
		URI[] workers = Stream.concat(LONG ? Stream.of(program()) : others(), others()).toArray(URI[]::new);
		RemoteSandbox sandbox = connected(workers);
		List<SandboxHandle> handles = startMany(sandbox, all);
		await().atMost(Duration.ofSeconds(60)).until(() -> started() == all);
		assertThat(commands(sandbox))
			.allMatch((count) -> Math.abs(count - all / workers.length) < all / (5 * workers.length));
		openGate(all);
		for (SandboxHandle handle : handles) {
			assertThat(exit(handle).exitCode()).isEqualTo(7);
			handle.close();
		}
		assertEachRanOnce(all);
		await().untilAsserted(() -> assertThat(commands(sandbox)).containsOnly(0));
	}

	@Test
	void commandsOfAKilledWorkerAreLostAndRunNowhereElse() throws Exception {
		RemoteSandbox sandbox = connected(workers());
		List<SandboxHandle> handles = startMany(sandbox, 40);
		await().atMost(Duration.ofSeconds(30)).until(() -> started() == 40);
		int there = commands(sandbox).get(0);
		assertThat(there).isPositive();
		List<CompletableFuture<SandboxExit>> ends = handles.stream().map((handle) -> handle.exit().toFuture()).toList();
		this.programs.get(0).destroyForcibly();
		await().atMost(Duration.ofSeconds(30))
			.until(() -> ends.stream().filter(CompletableFuture::isDone).count() == there);
		assertThat(status(sandbox)).first().isEqualTo(Status.DOWN);
		try (SandboxHandle next = start(sandbox, "exit 3")) {
			assertThat(exit(next).exitCode()).isEqualTo(3);
		}
		openGate(80);
		List<SandboxExit> exits = handles.stream().map(RemoteWorkersTests::exit).toList();
		assertThat(exits).filteredOn((exit) -> SandboxExit.LOST.equals(exit.signal())).hasSize(there);
		assertThat(exits).filteredOn((exit) -> exit.exitCode() == 7).hasSize(40 - there);
		assertEachRanOnce(40);
	}

	@Test
	void workerThatIsKilledUnderLoadLosesItsCommandsAlone() throws Exception {
		RemoteSandbox sandbox = connected(workers());
		int all = LONG ? 400 : 80;
		ExecutorService callers = Executors.newFixedThreadPool(40);
		List<Future<String>> ends = IntStream.range(0, all)
			.mapToObj((i) -> callers.submit(() -> end(sandbox, i)))
			.toList();
		await().atMost(Duration.ofSeconds(60)).until(() -> started() > all / 4);
		this.programs.get(0).destroyForcibly();
		List<String> lost = new ArrayList<>();
		for (int i = 0; i < all; i++) {
			String end = ends.get(i).get();
			if (!end.equals("done")) {
				lost.add(end);
			}
			if (end.equals("done") || Files.exists(this.workspace.resolve("ran-" + i))) {
				assertThat(this.workspace.resolve("ran-" + i)).hasContent("run");
			}
		}
		callers.shutdown();
		assertThat(lost).isSubsetOf(SandboxExit.LOST, SandboxErrorCode.START_FAILED.code()).hasSizeBetween(1, 40);
	}

	private String end(RemoteSandbox sandbox, int number) {
		try (SandboxHandle handle = start(sandbox, "echo run >> ran-" + number + "; sleep 0.3")) {
			SandboxExit exit = exit(handle);
			return (exit.exitCode() == 0) ? "done" : String.valueOf(exit.signal());
		}
		catch (SandboxException ex) {
			return ex.code().code();
		}
	}

	@Test
	void workerThatIsDrainedCompletesItsCommandsAndGetsNoOthers() throws Exception {
		RemoteSandbox sandbox = sandbox(server((options) -> options), server((options) -> options));
		List<SandboxHandle> handles = startMany(sandbox, 10);
		List<Integer> first = commands(sandbox);
		// starts at the same time may choose the same worker
		assertThat(first).allMatch((count) -> count > 2);
		assertThat(this.servers.get(0).drain(Duration.ZERO)).isFalse();
		List<SandboxHandle> later = startMany(sandbox, 4);
		assertThat(commands(sandbox)).containsExactly(first.get(0), first.get(1) + 4);
		await().until(() -> status(sandbox).equals(List.of(Status.DRAINING, Status.UP)));
		openGate(14);
		assertThat(handles).allMatch((handle) -> exit(handle).exitCode() == 7);
		assertThat(later).allMatch((handle) -> exit(handle).exitCode() == 7);
		handles.forEach(SandboxHandle::close);
		assertThat(this.servers.get(0).drain(Duration.ofSeconds(5))).isTrue();
	}

	@Test
	void workerThatCannotBeReachedIsLeftOutUntilItAnswersAgain() throws Exception {
		URI first = server((options) -> options);
		try (CuttingRelay relay = new CuttingRelay(first.getPort(), 0)) {
			RemoteSandbox sandbox = sandbox(
					(options) -> options.with((changes) -> changes.selector((request, workers) -> workers.get(0))),
					address(relay.port()), server((options) -> options));
			relay.refuse(true);
			try (SandboxHandle handle = start(sandbox, "read line < gate; exit 3")) {
				assertThat(commands(sandbox)).containsExactly(0, 1);
				openGate(1);
				assertThat(exit(handle).exitCode()).isEqualTo(3);
			}
			assertThat(status(sandbox)).containsExactly(Status.DOWN, Status.UP);
			relay.refuse(false);
			await().atMost(Duration.ofSeconds(30)).until(() -> status(sandbox).get(0) == Status.UP);
			try (SandboxHandle handle = start(sandbox, "read line < gate; exit 4")) {
				assertThat(commands(sandbox)).containsExactly(1, 0);
				openGate(1);
				assertThat(exit(handle).exitCode()).isEqualTo(4);
			}
		}
	}

	@Test
	void commandIsRefusedWhenAllWorkersAreFull() throws Exception {
		RemoteSandbox sandbox = sandbox(server((options) -> options.withMaxCommands(1)),
				server((options) -> options.withMaxCommands(1)));
		List<SandboxHandle> handles = startMany(sandbox, 2);
		assertThat(commands(sandbox)).containsExactly(1, 1);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(sandbox, "true"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.TOO_MANY_EXECUTIONS));
		assertThat(commands(sandbox)).containsExactly(1, 1);
		openGate(2);
		handles.forEach((handle) -> {
			exit(handle);
			handle.close();
		});
	}

	@Test
	void commandIsRefusedWhenOneWorkerIsFullAndTheOtherDoesNotAnswer() throws Exception {
		RemoteSandbox sandbox = sandbox(
				(options) -> options.with((changes) -> changes.selector((request, workers) -> workers.get(0))),
				server((options) -> options.withMaxCommands(1)), address(1));
		try (SandboxHandle handle = start(sandbox, "read line < gate")) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(sandbox, "true"))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.TOO_MANY_EXECUTIONS));
			assertThat(commands(sandbox)).containsExactly(1, 0);
			openGate(1);
			exit(handle);
		}
	}

	@Test
	void commandsOfAWorkspaceStayAtOneWorker() {
		RemoteSandbox sandbox = sandbox(
				(options) -> options.with((changes) -> changes.selector(WorkerSelector.sticky())),
				server((options) -> options), server((options) -> options), server((options) -> options));
		List<SandboxHandle> handles = IntStream.range(0, 6).mapToObj((i) -> start(sandbox, "sleep 50")).toList();
		assertThat(commands(sandbox)).containsOnlyOnce(6);
		handles.forEach(SandboxHandle::close);
	}

	@Test
	void workerWithoutARequiredCapabilityStartsNothing() {
		RemoteSandbox sandbox = sandbox(
				(options) -> options.with((changes) -> changes.required(Set.of(SandboxCapability.FILE_CONFINEMENT))),
				server((options) -> options));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(sandbox, "touch ran-0"))
			.withMessageContaining("does not enforce [FILE_CONFINEMENT]")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST));
		assertThat(this.workspace.resolve("ran-0")).doesNotExist();
	}

	@Test
	void selectorThatSelectsAnotherWorkerIsReported() {
		WorkerState other = new WorkerState(URI.create("http://localhost:1"), Status.UP, 0, 1, null);
		RemoteSandbox sandbox = sandbox(
				(options) -> options.with((changes) -> changes.selector((request, workers) -> other)),
				server((options) -> options));
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(sandbox, "true"))
			.withMessageContaining("none of the workers it was given");
	}

	@Test
	void capabilitiesAreThoseOfAllWorkersThatAnswer() {
		RemoteSandbox sandbox = sandbox(server((options) -> options), address(1));
		assertThat(sandbox.capabilities().backend()).isEqualTo("remote:process");
		assertThat(sandbox.capabilities().has(SandboxCapability.STDIN)).isTrue();
		assertThat(sandbox.capabilities().has(SandboxCapability.FILE_CONFINEMENT)).isFalse();
	}

	@Test
	void directoriesOfSessionsAreThoseOfTheWorkerOfTheirCommands() {
		URI both = server(new Sharing(List.of("/tmp", "/home/agent")), (options) -> options);
		URI one = server(new Sharing(List.of("/tmp")), (options) -> options);
		assertThat(sandbox(both).sharedDirectories(TenantContext.SINGLE)).containsExactly("/tmp", "/home/agent");
		assertThat(sandbox(both, one).sharedDirectories(TenantContext.SINGLE)).isEmpty();
		UnaryOperator<RemoteSandboxOptions> sticky = (options) -> options
			.with((changes) -> changes.selector(WorkerSelector.sticky()));
		assertThat(sandbox(sticky, both, one).sharedDirectories(TenantContext.SINGLE)).containsExactly("/tmp");
		assertThat(sandbox(address(1)).sharedDirectories(TenantContext.SINGLE)).isEmpty();
		assertThat(sandbox(server((options) -> options)).sharedDirectories(TenantContext.SINGLE)).isEmpty();
	}

	/**
	 * A sandbox that runs nothing.
	 *
	 * @param directories the directories that sessions share
	 */
	private record Sharing(List<String> directories) implements ExecutionSandbox {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			throw new SandboxException(SandboxErrorCode.START_FAILED, "There are no commands", "start none");
		}

		@Override
		public List<String> sharedDirectories(TenantContext tenant) {
			return this.directories;
		}

	}

}
