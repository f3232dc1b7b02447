package io.kairo.tools.command;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionBounds;
import io.kairo.tools.SessionDefaults;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.output.OutputOptions;
import io.kairo.tools.output.OutputStore;
import io.kairo.tools.search.GlobOptions;
import io.kairo.tools.search.GlobTool;
import io.kairo.tools.search.GrepOptions;
import io.kairo.tools.search.GrepTool;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for reading and searching long output of {@link BashTool}.
 */
@Timeout(120)
class SpilledOutputTests {

	private static final TenantContext ALICE = new TenantContext("default", "alice");

	private static final TenantContext BOB = new TenantContext("default", "bob");

	private final ToolCatalog catalog = ToolCatalog.of(List.of(new BashTool(), new ReadTool(), new WriteTool(),
			new GrepTool(GrepOptions.defaults()), new GlobTool(GlobOptions.defaults())), List.of());

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	@TempDir
	Path directory;

	@TempDir
	Path state;

	private AgentSessions sessions;

	@BeforeEach
	void openSessions() {
		this.sessions = new AgentSessions(new LocalDirectoryWorkspaceProvider(this.directory),
				new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS), this.sandbox, SessionBounds.DEFAULTS,
				SessionDefaults.NONE,
				new OutputStore(this.state, OutputOptions.defaults(), java.time.Clock.systemUTC()));
	}

	@AfterEach
	void closeSessions() {
		this.sessions.close();
		this.sandbox.close();
	}

	@Test
	void omittedOutputCanBeRead() {
		ToolResult result = call(ALICE, "1", "Bash", Map.of("command", "printf '\\033[31m'; seq 1 20000"));
		assertThat(result.data()).containsEntry("output", "@output/1");
		assertThat(result.text()).contains("characters left out, read them in @output/1");
		assertThat(result.complete().reason()).contains("read @output/1 with offset and limit");
		ToolResult read = call(ALICE, "1", "Read", Map.of("file_path", "@output/1", "offset", 10_000, "limit", 2));
		assertThat(read.text()).isEqualTo(" 10000\t10000\n 10001\t10001\n"
				+ "(lines 10,000-10,001 of 20,000; stopped at 2 lines, continue with offset=10002)");
		assertThat(call(ALICE, "1", "Read", read.complete().next()).text()).startsWith(" 10002\t10002\n");
	}

	@Test
	void longLineOfOutputCanBeReadByCharacters() {
		call(ALICE, "1", "Bash", Map.of("command", "seq -s, 1 20000"));
		ToolResult read = call(ALICE, "1", "Read", Map.of("file_path", "@output/1"));
		assertThat(read.text()).contains("; offset=1, column=2001 reads on]");
		assertThat(call(ALICE, "1", "Read", Map.of("file_path", "@output/1", "column", 108_884, "limit", 9)).text())
			.startsWith("     1\t9999,2000");
		assertThat(call(ALICE, "1", "Read", read.complete().next()).text()).contains("from character 2,001 to 22,000");
	}

	@Test
	void omittedOutputCanBeSearched() {
		call(ALICE, "1", "Bash", Map.of("command", "seq 1 20000"));
		ToolResult found = call(ALICE, "1", "Grep",
				Map.of("pattern", "^1234.$", "path", "@output/1", "output_mode", "content", "head_limit", 2));
		assertThat(found.text()).startsWith("@output/1:12340:12340\n@output/1:12341:12341\n");
		ToolResult next = call(ALICE, "1", "Grep", found.complete().next());
		assertThat(next.text()).startsWith("@output/1:12342:12342\n");
		assertThat(call(ALICE, "2", "Grep", Map.of("pattern", "1", "path", "@output/1")).error().code())
			.isEqualTo("file_not_found");
	}

	@Test
	void searchShowsFileNamedLikeOutputWithDotPrefix() throws Exception {
		Files.createDirectory(this.directory.resolve("@output"));
		Files.writeString(this.directory.resolve("@output/1"), "a real file\n");
		assertThat(call(ALICE, "1", "Grep", Map.of("pattern", "real")).text()).startsWith("./@output/1\n");
		assertThat(call(ALICE, "1", "Glob", Map.of("pattern", "1")).text()).startsWith("./@output/1\n");
		assertThat(call(ALICE, "1", "Grep", Map.of("pattern", "real", "path", "@output/1")).error().code())
			.isEqualTo("file_not_found");
	}

	@Test
	void searchOfMissingOutputDoesNotFallBackToWorkspace() throws Exception {
		Files.createDirectories(this.directory.resolve("@output/x"));
		Files.writeString(this.directory.resolve("@output/x/secret"), "a real file\n");
		ToolResult found = call(ALICE, "1", "Grep",
				Map.of("pattern", "real", "path", "@output/7", "output_mode", "content"));
		assertThat(found.error().code()).isEqualTo("file_not_found");
		assertThat(found.text()).contains("no output '@output/7'")
			.contains("./@output/7")
			.doesNotContain(this.directory.toString());
	}

	@Test
	void outputOfCommandWithUnknownExitIsDiscarded() throws Exception {
		ExecutionSandbox failing = (request) -> new LostHandle();
		assertThatIllegalStateException().isThrownBy(() -> this.sessions.inSession(ALICE, "1",
				(context) -> new BashTool().call(Map.of("command", "x"), context.sandbox(failing).build())));
		assertThat(this.state).as("something was kept").isNotEmptyDirectory();
		try (Stream<Path> files = Files.walk(this.state)) {
			assertThat(files.filter((file) -> file.toString().endsWith(".txt"))).isEmpty();
		}
	}

	@Test
	void shortOutputIsNotKept() {
		assertThat(call(ALICE, "1", "Bash", Map.of("command", "seq 1 100")).data()).doesNotContainKey("output");
		assertThat(this.state).isEmptyDirectory();
	}

	@Test
	void outputIsHiddenFromOtherSessionsAndPrincipals() {
		call(ALICE, "1", "Bash", Map.of("command", "seq 1 20000"));
		for (ToolResult result : List.of(call(ALICE, "2", "Read", Map.of("file_path", "@output/1")),
				call(BOB, "1", "Read", Map.of("file_path", "@output/1")))) {
			assertThat(result.error().code()).isEqualTo("file_not_found");
			assertThat(result.text()).contains("no output '@output/1'");
		}
	}

	@Test
	void outputIdWithPathIsNotFound() throws Exception {
		call(ALICE, "1", "Bash", Map.of("command", "seq 1 20000"));
		for (String path : List.of("@output/../1", "@output/", "@output/" + this.state, "@output/../../etc/passwd")) {
			assertThat(call(ALICE, "1", "Read", Map.of("file_path", path)).error().code()).isEqualTo("file_not_found");
		}
	}

	@Test
	void fileNamedLikeOutputIsReadableWithDotPrefix() throws Exception {
		Files.createDirectory(this.directory.resolve("@output"));
		Files.writeString(this.directory.resolve("@output/1"), "a real file\n");
		ToolResult read = call(ALICE, "1", "Read", Map.of("file_path", "./@output/1"));
		assertThat(read.text()).contains("a real file");
		assertThat(read.data()).containsEntry("path", "./@output/1");
		ToolResult listed = call(ALICE, "1", "Read", Map.of("file_path", "./@output"));
		assertThat(listed.data().get("entries")).isEqualTo(List.of("./@output/1"));
	}

	@Test
	void closingSessionsRemovesOutputs() {
		call(ALICE, "1", "Bash", Map.of("command", "seq 1 20000"));
		assertThat(this.state).isNotEmptyDirectory();
		this.sessions.close();
		assertThat(this.state).isEmptyDirectory();
	}

	private ToolResult call(TenantContext tenant, String session, String tool, Map<String, Object> arguments) {
		return this.sessions.inSession(tenant, session,
				(context) -> this.catalog.call(new ToolCall("", tool, arguments), context.build()));
	}

	/**
	 * A handle of a command that prints long output and whose exit is never reported.
	 */
	private static final class LostHandle implements SandboxHandle {

		@Override
		public Flux<SandboxOutputChunk> output() {
			return Flux.just(new SandboxOutputChunk.Stdout("line\n".repeat(100_000).getBytes(StandardCharsets.UTF_8)));
		}

		@Override
		public Mono<SandboxExit> exit() {
			return Mono.error(new IllegalStateException("lost"));
		}

		@Override
		public void cancel() {
		}

		@Override
		public void close() {
		}

	}

}
