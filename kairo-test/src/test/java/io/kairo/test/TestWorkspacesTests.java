package io.kairo.test;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.command.BashOutputTool;
import io.kairo.tools.command.KillBashTool;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.search.GrepTool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.kairo.test.KairoAssertions.assertThat;

/**
 * Tests for {@link TestWorkspaces} with the tools, without Spring.
 */
class TestWorkspacesTests {

	private final TestWorkspaces workspaces = new TestWorkspaces();

	private final FakeSandbox sandbox = new FakeSandbox();

	private final RecordedCalls calls = new RecordedCalls();

	private final AgentSessions sessions = new AgentSessions(this.workspaces, this.workspaces, this.sandbox);

	private final ToolCatalog tools = ToolCatalog.of(List.of(new ReadTool(), new WriteTool(), new EditTool(),
			new GrepTool(), new BashTool(), new BashOutputTool(), new KillBashTool()), List.of(this.calls));

	@AfterEach
	void close() {
		this.sessions.close();
	}

	@Test
	void toolsWorkOnSeededFilesAndFakeCommands() {
		this.workspaces.seed("src/Adder.java", "return a - b;\n");
		this.sandbox.answer("mvn test", FakeAnswer.exit(1, "Tests run: 1, Failures: 1\n"),
				FakeAnswer.ok("BUILD SUCCESS\n"));
		inSession("s1", (context) -> {
			assertThat(call(context, "Bash", Map.of("command", "mvn test"))).contains("Failures: 1", "exit code 1");
			assertThat(call(context, "Grep", Map.of("pattern", "a - b"))).contains("src/Adder.java");
			call(context, "Read", Map.of("file_path", "src/Adder.java"));
			call(context, "Edit", Map.of("file_path", "src/Adder.java", "old_string", "a - b", "new_string", "a + b"));
			assertThat(call(context, "Bash", Map.of("command", "mvn test"))).contains("BUILD SUCCESS");
		});
		assertThat(this.workspaces).hasFile("src/Adder.java", "return a + b;\n").hasOnlyFiles("src/Adder.java");
		assertThat(this.calls).areExactly("Bash", "Grep", "Read", "Edit", "Bash").allSucceeded();
		assertThat(this.sandbox).ranExactly("mvn test", "mvn test").answeredEverything();
	}

	@Test
	void commandMayChangeFiles() {
		this.sandbox.answerWith((request) -> request.command().startsWith("touch "), (request) -> {
			this.workspaces.seed(request.command().substring(6), "");
			return FakeAnswer.ok("");
		});
		inSession("s1", (context) -> call(context, "Bash", Map.of("command", "touch a.txt")));
		assertThat(this.workspaces).hasFile("a.txt", "");
	}

	@Test
	void commandInBackgroundRunsUntilItIsKilled() {
		this.sandbox.answer("serve", FakeAnswer.running("listening\n"));
		inSession("s1", (context) -> {
			String started = call(context, "Bash", Map.of("command", "serve", "run_in_background", true));
			String id = String.valueOf(this.calls.all().get(0).result().data().get("id"));
			assertThat(started).contains(id);
			assertThat(call(context, "BashOutput", Map.of("id", id))).contains("listening");
			assertThat(call(context, "KillBash", Map.of("id", id))).contains(id);
		});
	}

	@Test
	void filesAreKeptAfterSessionOfOneCall() {
		this.sessions.runInSession(TenantContext.SINGLE, null,
				(context) -> call(context, "Write", Map.of("file_path", "a.txt", "content", "one\n")));
		assertThat(this.workspaces).hasFile("a.txt", "one\n");
	}

	@Test
	void tenantsAndHintsHaveFilesOfTheirOwn() {
		TenantContext acme = new TenantContext("acme", "ann");
		String hint = "git:https://git.example.com/a.git#main";
		this.workspaces.seed("README.md", "hello\n");
		this.sessions.inSession(SessionRequest.of(acme, "s1").in(hint),
				(builder) -> call(builder.build(), "Write", Map.of("file_path", "b.txt", "content", "two\n")));
		assertThat(this.workspaces.files(acme, hint)).hasOnlyFiles("README.md", "b.txt");
		assertThat(this.workspaces.files(acme, null)).hasOnlyFiles("README.md");
		assertThat(this.workspaces).hasOnlyFiles("README.md");
	}

	@Test
	void readOnlySessionsCannotWrite() {
		this.sessions.inSession(SessionRequest.of(TenantContext.SINGLE, "s1").readOnly(),
				(builder) -> call(builder.build(), "Write", Map.of("file_path", "a.txt", "content", "one\n")));
		assertThat(this.workspaces).doesNotHaveFile("a.txt");
		assertThat(this.calls.all()).singleElement().satisfies((call) -> assertThat(call.result().error()).isNotNull());
	}

	@Test
	void resetRemovesFilesAndSeeds() {
		this.workspaces.seed("a/b.txt", "one\n").seed("c.txt", "two\n");
		assertThat(this.workspaces).hasFile("a/b.txt");
		this.workspaces.reset();
		assertThat(this.workspaces).hasOnlyFiles();
		assertThat(this.workspaces.files(new TenantContext("acme", "ann"), null)).hasOnlyFiles();
	}

	private void inSession(String id, Consumer<ToolContext> work) {
		this.sessions.runInSession(TenantContext.SINGLE, id, work);
	}

	private String call(ToolContext context, String tool, Map<String, Object> arguments) {
		return this.tools.call(tool, arguments, context).text();
	}

}
