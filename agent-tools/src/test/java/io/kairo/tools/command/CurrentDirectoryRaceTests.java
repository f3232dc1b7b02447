package io.kairo.tools.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.ReadTool;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that many agents of two tenants that change their directories concurrently keep
 * separate directories. Uses virtual threads if the JDK supports them.
 */
@Timeout(120)
class CurrentDirectoryRaceTests {

	private static final int AGENTS = "long".equals(System.getProperty("kairo.stress")) ? 1000 : 200;

	@TempDir
	Path directory;

	private final ToolCatalog catalog = ToolCatalog.of(List.of(new BashTool(), new ReadTool()), List.of());

	private AgentSessions sessions;

	@BeforeEach
	void makeDirectories() throws Exception {
		LocalDirectoryWorkspaceProvider provider = new LocalDirectoryWorkspaceProvider(
				List.of(RootTemplate.parse(this.directory + "/{tenant}")), "default");
		for (int i = 0; i < AGENTS; i++) {
			Path own = Files.createDirectories(this.directory.resolve(tenant(i).tenantId()).resolve("d" + i));
			Files.writeString(own.resolve("me.txt"), "agent-" + i + ".");
		}
		this.sessions = new AgentSessions(provider, new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS),
				CurrentDirectoryRaceTests::changeDirectory);
	}

	@AfterEach
	void close() {
		this.sessions.close();
	}

	@Test
	void agentsOnSeparateThreadsKeepTheirDirectories() throws Exception {
		ExecutorService threads = threads();
		try {
			List<Future<String>> read = new ArrayList<>();
			for (int i = 0; i < AGENTS; i++) {
				int agent = i;
				read.add(threads.submit(() -> {
					cd(agent);
					Thread.yield();
					return read(agent);
				}));
			}
			for (int i = 0; i < AGENTS; i++) {
				assertThat(read.get(i).get(60, TimeUnit.SECONDS)).contains("agent-" + i + ".");
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void agentsOnReactorSchedulersKeepTheirDirectories() {
		List<Integer> wrong = Flux.range(0, AGENTS)
			.flatMap((agent) -> Mono.fromRunnable(() -> cd(agent))
				.subscribeOn(Schedulers.boundedElastic())
				.then(Mono.fromCallable(() -> read(agent)).subscribeOn(Schedulers.parallel()))
				.filter((text) -> !text.contains("agent-" + agent + "."))
				.map((text) -> agent), 64)
			.collectList()
			.block(Duration.ofSeconds(60));
		assertThat(wrong).isEmpty();
	}

	@Test
	void childrenOfOneSessionKeepTheirDirectories() throws Exception {
		ExecutorService threads = threads();
		try {
			TenantContext tenant = tenant(0);
			List<Integer> own = IntStream.iterate(0, (i) -> i < 100, (i) -> i + 2).boxed().toList();
			List<Future<ToolResult>> read = new ArrayList<>();
			for (int agent : own) {
				read.add(threads.submit(() -> {
					SessionRequest request = SessionRequest.of(tenant, "shared").child("sub-" + agent);
					call(request, "Bash", Map.of("command", "cd d" + agent));
					Thread.yield();
					return call(request, "Read", Map.of("file_path", "me.txt"));
				}));
			}
			for (int i = 0; i < own.size(); i++) {
				assertThat(read.get(i).get(60, TimeUnit.SECONDS).text()).contains("agent-" + own.get(i) + ".");
			}
			assertThat(this.sessions.list()).singleElement()
				.satisfies((session) -> assertThat(session.currentDirectory().isRoot()).isTrue());
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void cd(int agent) {
		ToolResult result = call(SessionRequest.of(tenant(agent), "s" + agent), "Bash",
				Map.of("command", "cd d" + agent));
		assertThat(result.error()).isNull();
	}

	private String read(int agent) {
		return call(SessionRequest.of(tenant(agent), "s" + agent), "Read", Map.of("file_path", "me.txt")).text();
	}

	private ToolResult call(SessionRequest request, String tool, Map<String, Object> arguments) {
		return this.sessions.call(request, this.catalog, new ToolCall("", tool, arguments), UnaryOperator.identity());
	}

	private static TenantContext tenant(int agent) {
		return new TenantContext((agent % 2 == 0) ? "acme" : "globex", "ann");
	}

	/**
	 * Simulates a shell, since a thousand real shells would be too many.
	 */
	private static SandboxHandle changeDirectory(SandboxRequest request) {
		Path start = request.attributes().workingDirectory();
		Path end = start.resolve(request.command().substring("cd ".length()));
		return new SandboxHandle() {

			@Override
			public Flux<SandboxOutputChunk> output() {
				return Flux.empty();
			}

			@Override
			public Mono<SandboxExit> exit() {
				return Mono.just(new SandboxExit(0, null, false, false));
			}

			@Override
			public Path workingDirectory() {
				return end;
			}

			@Override
			public void cancel() {
				// the command has ended
			}

			@Override
			public void close() {
				// the command has ended
			}

		};
	}

	private static ExecutorService threads() throws Exception {
		try {
			return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
		}
		catch (NoSuchMethodException ex) {
			return Executors.newCachedThreadPool();
		}
	}

}
