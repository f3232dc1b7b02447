package io.kairo.governance.audit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSession;
import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WriteOptions;
import io.kairo.tools.file.WriteTool;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SessionReplay}, with records from files.
 */
class SessionReplayTests {

	private static final TenantContext ACME = new TenantContext("acme", "alice");

	private static final List<AgentTool> TOOLS = List.of(new ReadTool(ReadOptions.defaults()),
			new WriteTool(WriteOptions.defaults()), new EditTool(EditOptions.defaults(), ToolNaming.CLAUDE),
			new BashTool(BashOptions.defaults()));

	@TempDir
	private Path directory;

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	private FileAuditSink sink;

	private AuditLog log;

	@BeforeEach
	void open() {
		this.sink = new FileAuditSink(AuditFileOptions.in(this.directory.resolve("audit")), new HashChain());
		this.log = new AuditLog(List.of(this.sink), AuditPolicy.FAIL, Duration.ofSeconds(10), (record) -> {
		});
	}

	@AfterEach
	void close() {
		this.log.close();
		this.sandbox.close();
	}

	private ToolContext context(String name) throws Exception {
		Path root = Files.createDirectories(this.directory.resolve(name));
		Workspace workspace = new LocalDirectoryWorkspaceProvider(root).acquire(new WorkspaceRequest(null, ACME, true));
		return ToolContext.builder(workspace)
			.session(new AgentSession("s1", ACME, workspace))
			.sandbox(this.sandbox)
			.build();
	}

	private void record(boolean arguments, Call... calls) throws Exception {
		Redaction redaction = new Redaction(Redaction.NAMES, Redaction.PATTERNS, 1000);
		ToolCatalog catalog = ToolCatalog.of(TOOLS,
				List.of(new AuditInterceptor(this.log, new AuditContent(arguments ? redaction : null, null),
						(tool) -> !tool.equals("Read"), () -> null, Clock.systemUTC())));
		ToolContext context = context("recorded");
		for (Call call : calls) {
			catalog.call(call.tool(), call.arguments(), context);
		}
	}

	private ReplayReport replay(List<AgentTool> tools) throws Exception {
		List<AuditRecord> records = this.sink.recordsOf("acme", "s1").orElseThrow();
		return new SessionReplay(ToolCatalog.of(tools, List.of())).run(records, context(UUID.randomUUID().toString()));
	}

	private static Call write(String content) {
		return new Call("Write", Map.of("file_path", "a.txt", "content", content));
	}

	private static Call bash(String command) {
		return new Call("Bash", Map.of("command", command));
	}

	@Test
	void sameCallsHaveNoDifference() throws Exception {
		record(true, write("one\n"), new Call("Read", Map.of("file_path", "a.txt")),
				new Call("Edit", Map.of("file_path", "a.txt", "old_string", "one", "new_string", "two")),
				bash("grep -q two a.txt"), bash("exit 3"), new Call("Read", Map.of("file_path", "missing")),
				new Call("None", Map.of()));
		assertThat(replay(TOOLS)).isEqualTo(new ReplayReport(7, null));
	}

	@Test
	void firstDifferenceIsShown() throws Exception {
		record(true, write("one\n"), bash("[ -e /nowhere ] || test -e a.txt && mv a.txt b.txt"), bash("cat b.txt"));
		List<AgentTool> changed = new ArrayList<>(TOOLS);
		changed.removeIf((tool) -> tool instanceof WriteTool);
		ReplayReport report = replay(changed);
		assertThat(report.calls()).isZero();
		assertThat(report.difference()).satisfies((difference) -> {
			assertThat(difference.recorded().tool()).isEqualTo("Write");
			assertThat(difference.aspect()).isEqualTo("code");
			assertThat(difference.expected()).isEqualTo("success");
			assertThat(difference.actual()).isEqualTo("unknown_tool");
		});
	}

	@Test
	void otherContentIsADifference() throws Exception {
		record(true, bash("echo $PWD > a.txt"), new Call("Read", Map.of("file_path", "a.txt")));
		ReplayReport report = replay(TOOLS);
		assertThat(report.calls()).isEqualTo(1);
		assertThat(report.difference().aspect()).isEqualTo("paths");
		assertThat(report.difference().expected()).contains("a.txt read at sha256:");
	}

	@Test
	void otherExitIsADifference() throws Exception {
		record(true, bash("[ $(basename $PWD) = recorded ]"));
		assertThat(replay(TOOLS).difference().aspect()).isEqualTo("commands");
	}

	@Test
	void redactedArgumentsCannotBeReplayed() throws Exception {
		record(true, write("password=hunter2"));
		assertThat(replay(TOOLS).difference().actual()).contains("redacted or cut");
	}

	@Test
	void argumentsThatWereNotRecordedCannotBeReplayed() throws Exception {
		record(false, write("x"));
		assertThat(replay(TOOLS).difference().actual()).isEqualTo("not recorded");
	}

	private record Call(String tool, Map<String, Object> arguments) {

	}

}
