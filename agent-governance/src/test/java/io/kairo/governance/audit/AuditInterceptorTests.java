package io.kairo.governance.audit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.governance.audit.AuditRecord.Event;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSession;
import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDecision;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolRefusal;
import io.kairo.tools.ToolResult;
import io.kairo.tools.background.BackgroundCommands;
import io.kairo.tools.background.BackgroundOptions;
import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.entry.DeleteTool;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WriteOptions;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.trash.TrashOptions;
import io.kairo.tools.trash.TrashStore;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link AuditInterceptor}.
 */
class AuditInterceptorTests {

	@TempDir
	private Path directory;

	@TempDir
	private Path state;

	private final List<AuditRecord> records = new CopyOnWriteArrayList<>();

	private volatile boolean failing;

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	private final BackgroundCommands background = new BackgroundCommands(BackgroundOptions.defaults());

	private AuditLog log;

	private AgentSession session;

	private ToolContext context;

	private TrashStore trash;

	@BeforeEach
	void open() {
		this.trash = new TrashStore(this.state.resolve("trash"), TrashOptions.defaults());
		this.log = new AuditLog(List.of(new AuditSink() {

			@Override
			public String name() {
				return "test";
			}

			@Override
			public void append(List<AuditRecord> added) {
				if (AuditInterceptorTests.this.failing) {
					throw new AuditException("The disk is full", null);
				}
				AuditInterceptorTests.this.records.addAll(added);
			}

		}), AuditPolicy.FAIL, Duration.ofSeconds(10), (record) -> {
		});
		TenantContext tenant = new TenantContext("acme", "alice", Map.of(TenantContext.ATTR_AGENT_ID, "coder"));
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.directory)
			.acquire(new WorkspaceRequest(null, tenant, true));
		this.session = new AgentSession("s1", tenant, workspace, null, this.background.open("acme"));
		this.context = ToolContext.builder(workspace)
			.session(this.session)
			.sandbox(this.sandbox)
			.adapter("mcp")
			.build();
	}

	@AfterEach
	void close() {
		this.background.close();
		this.sandbox.close();
		this.log.close();
	}

	private ToolResult call(AuditContent content, List<ToolInterceptor> inner, String tool,
			Map<String, Object> arguments) {
		return catalog(content, inner).call(new ToolCall("call-1", tool, arguments), this.context);
	}

	private ToolResult call(String tool, Map<String, Object> arguments) {
		return call(AuditContent.NONE, List.of(), tool, arguments);
	}

	private ToolCatalog catalog(AuditContent content, List<ToolInterceptor> inner) {
		List<AgentTool> tools = List.of(new ReadTool(ReadOptions.defaults()), new WriteTool(WriteOptions.defaults()),
				new EditTool(EditOptions.defaults(), ToolNaming.CLAUDE), new BashTool(BashOptions.defaults()),
				new DeleteTool(this.trash, Duration.ofSeconds(10), ToolNaming.CLAUDE));
		List<ToolInterceptor> interceptors = new ArrayList<>();
		interceptors.add(new AuditInterceptor(this.log, content, (name) -> !name.equals("Read"), () -> "trace-1",
				Clock.systemUTC()));
		interceptors.addAll(inner);
		return ToolCatalog.of(tools, interceptors);
	}

	private AuditRecord only() {
		assertThat(this.records).hasSize(1);
		return this.records.get(0);
	}

	private AuditRecord end() {
		assertThat(this.records).hasSize(2);
		assertThat(this.records.get(0).event()).isEqualTo(Event.CALL_STARTED);
		assertThat(this.records.get(1).started()).isEqualTo(this.records.get(0).id());
		return this.records.get(1);
	}

	@Test
	void readIsRecordedOnceWithItsCallerAndVersion() throws Exception {
		Files.writeString(this.directory.resolve("a.txt"), "a\n");
		call("Read", Map.of("file_path", "a.txt"));
		AuditRecord record = only();
		assertThat(record.event()).isEqualTo(Event.CALL_ENDED);
		assertThat(record.caller()).isEqualTo(new AuditRecord.Caller("acme", "alice", "coder", "s1", "mcp"));
		assertThat(record.tool()).isEqualTo("Read");
		assertThat(record.callId()).isEqualTo("call-1");
		assertThat(record.code()).isEqualTo("success");
		assertThat(record.traceId()).isEqualTo("trace-1");
		assertThat(record.arguments()).isNull();
		assertThat(record.effects().paths()).singleElement().satisfies((path) -> {
			assertThat(path.path()).isEqualTo("a.txt");
			assertThat(path.changed()).isFalse();
			assertThat(path.before()).startsWith("sha256:");
		});
	}

	@Test
	void changeIsAnnouncedAndRecordedWithItsVersions() throws Exception {
		Files.writeString(this.directory.resolve("a.txt"), "one\n");
		call("Edit", Map.of("file_path", "a.txt", "old_string", "one", "new_string", "three"));
		assertThat(Files.readString(this.directory.resolve("a.txt"))).isEqualTo("three\n");
		assertThat(end().effects().writtenBytes()).isEqualTo(6);
		assertThat(end().effects().paths()).singleElement().satisfies((path) -> {
			assertThat(path.changed()).isTrue();
			assertThat(path.before()).startsWith("sha256:").isNotEqualTo(path.after());
			assertThat(path.after()).startsWith("sha256:");
		});
	}

	@Test
	void newFileHasNoVersionBefore() {
		call("Write", Map.of("file_path", "new.txt", "content", "x"));
		assertThat(end().effects().paths()).singleElement().satisfies((path) -> {
			assertThat(path.before()).isNull();
			assertThat(path.after()).startsWith("sha256:");
		});
	}

	@Test
	void deletedFileIsRecordedAlthoughItIsMovedToTheTrash() throws Exception {
		Files.writeString(this.directory.resolve("a.txt"), "a");
		ToolResult result = call("Delete", Map.of("path", "a.txt"));
		assertThat(result.error()).isNull();
		assertThat(end().effects().paths()).anySatisfy((path) -> {
			assertThat(path.path()).isEqualTo("a.txt");
			assertThat(path.changed()).isTrue();
			assertThat(path.after()).isNull();
		});
	}

	@Test
	void commandIsRecordedWithItsExitAndOutput() {
		call("Bash", Map.of("command", "echo hello; exit 3"));
		assertThat(end().effects().commands()).singleElement().satisfies((command) -> {
			assertThat(command.exitCode()).isEqualTo(3);
			assertThat(command.command()).isNull();
			assertThat(command.digest()).startsWith("sha256:");
			assertThat(command.outputBytes()).isGreaterThanOrEqualTo(6);
		});
	}

	@Test
	void endOfABackgroundCommandIsRecordedWhenItEnds() throws Exception {
		Path go = this.directory.resolve("go");
		call("Bash", Map.of("command", "until [ -e go ]; do sleep 0.05; done; exit 7", "run_in_background", true));
		assertThat(end().effects().commands()).singleElement()
			.satisfies((command) -> assertThat(command.exitCode()).isNull());
		Files.createFile(go);
		await().until(() -> this.records.size() == 3);
		AuditRecord ended = this.records.get(2);
		assertThat(ended.event()).isEqualTo(Event.COMMAND_ENDED);
		assertThat(ended.started()).isEqualTo(this.records.get(0).id());
		assertThat(ended.effects().commands()).singleElement()
			.satisfies((command) -> assertThat(command.exitCode()).isEqualTo(7));
	}

	@Test
	void argumentsAndCommandsAreRecordedWithoutSecretsIfWanted() {
		Redaction redaction = new Redaction(Redaction.NAMES, Redaction.PATTERNS, 100);
		call(new AuditContent(redaction, redaction), List.of(), "Bash", Map.of("command", "echo token=hunter2"));
		AuditRecord start = this.records.get(0);
		assertThat(start.arguments()).containsEntry("command",
				"echo token=[redacted 7 characters, sha256:f52fbd32b2b3b86ff88ef6c490628285]");
		assertThat(end().arguments()).isNull();
		assertThat(end().effects().commands().get(0).command()).contains("echo token=[redacted 7 characters")
			.doesNotContain("hunter2");
	}

	@Test
	void refusalOfAnInnerInterceptorIsRecordedWithItsDecision() {
		ToolInterceptor policy = (call, context, chain) -> {
			context.decisions().accept(new ToolDecision(ToolDecision.Outcome.DENIED, "no-bash", null));
			return ToolResult.failure("denied", "No.", null);
		};
		call(AuditContent.NONE, List.of(policy), "Bash", Map.of("command", "touch x"));
		assertThat(end().code()).isEqualTo("denied");
		assertThat(end().decision()).isEqualTo(new ToolDecision(ToolDecision.Outcome.DENIED, "no-bash", null));
		assertThat(this.directory.resolve("x")).doesNotExist();
	}

	@Test
	void unknownToolIsRecordedWithABoundedName() {
		call("x".repeat(10_000), Map.of());
		assertThat(end().code()).isEqualTo("unknown_tool");
		assertThat(end().tool()).hasSize(200);
	}

	@Test
	void refusalOfAnAdapterIsRecorded() {
		catalog(AuditContent.NONE, List.of()).refuse(
				new ToolRefusal("Read", null, null, "spring-ai", new ToolError("tenant_required", "No tenant.", null)));
		AuditRecord record = only();
		assertThat(record.event()).isEqualTo(Event.CALL_REFUSED);
		assertThat(record.code()).isEqualTo("tenant_required");
		assertThat(record.caller()).isEqualTo(new AuditRecord.Caller(null, null, null, null, "spring-ai"));
	}

	@Test
	void changeIsNotMadeIfItCannotBeRecorded() {
		this.failing = true;
		ToolResult result = call("Bash", Map.of("command", "touch x"));
		assertThat(result.error()).isNotNull();
		assertThat(result.error().code()).isEqualTo(AuditInterceptor.UNAVAILABLE);
		assertThat(this.directory.resolve("x")).doesNotExist();
	}

	@Test
	void resultIsWithheldIfItsEndCannotBeRecorded() {
		ToolInterceptor breaking = (call, context, chain) -> {
			ToolResult result = chain.proceed(call, context);
			this.failing = true;
			return result;
		};
		ToolResult result = call(AuditContent.NONE, List.of(breaking), "Write",
				Map.of("file_path", "a.txt", "content", "secret"));
		assertThat(result.error().code()).isEqualTo(AuditInterceptor.INCOMPLETE);
		assertThat(this.directory.resolve("a.txt")).hasContent("secret");
	}

	@Test
	void digestIsThatOfTheSameCall() {
		call("Bash", Map.of("command", "true", "timeout", 1000));
		call("Bash", Map.of("timeout", 1000, "command", "true"));
		call("Bash", Map.of("timeout", 1001, "command", "true"));
		assertThat(this.records.get(0).digest()).isEqualTo(this.records.get(2).digest())
			.isNotEqualTo(this.records.get(4).digest());
	}

	@Test
	void manyFilesAreCountedBeyondTheFirst() throws Exception {
		ToolInterceptor reading = (call, context, chain) -> {
			for (int i = 0; i < 150; i++) {
				context.files().tryReadFile("f" + i).value();
			}
			return chain.proceed(call, context);
		};
		for (int i = 0; i < 150; i++) {
			Files.writeString(this.directory.resolve("f" + i), "x");
		}
		call(AuditContent.NONE, List.of(reading), "Read", Map.of("file_path", "f0"));
		assertThat(only().effects().paths()).hasSize(100);
		assertThat(only().effects().morePaths()).isEqualTo(50);
	}

}
