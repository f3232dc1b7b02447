package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.git.autoconfigure.KairoGitWorkspaceAutoConfiguration;
import io.kairo.workspace.task.AgentTree;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that neither file tools nor commands change a read-only workspace of any
 * provider.
 */
class ReadOnlyWorkspacesTests {

	@TempDir
	Path directory;

	private ApplicationContextRunner runner;

	@BeforeEach
	void makeFiles() throws Exception {
		Path root = Files.createDirectories(this.directory.resolve("root"));
		Files.writeString(root.resolve("file"), "kept\n");
		Path seed = Files.createDirectories(this.directory.resolve("seeds/one"));
		Files.writeString(seed.resolve("file"), "kept\n");
		Path task = Files.createDirectories(this.directory.resolve("data/workspaces/agent"));
		Files.writeString(task.resolve("file"), "kept\n");
		Path repository = this.directory.resolve("shop");
		try (Git git = Git.init().setDirectory(repository.toFile()).setInitialBranch("main").call()) {
			Files.writeString(repository.resolve("file"), "kept\n");
			git.add().addFilepattern(".").call();
			git.commit().setMessage("Begin").setAuthor("Ann", "ann@example.org").setSign(false).call();
		}
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoGitWorkspaceAutoConfiguration.class,
					KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class,
					KairoToolsAutoConfiguration.class))
			.withPropertyValues("kairo.state-dir=" + this.directory.resolve("state"), "kairo.workspace.roots=" + root,
					"kairo.workspace.ephemeral.seeds=" + this.directory.resolve("seeds"),
					"kairo.workspace.task.data-dir=" + this.directory.resolve("data"),
					"kairo.workspace.git.allowed-urls=file://");
	}

	private String hint(String provider) {
		return switch (provider) {
			case "ephemeral" -> "ephemeral:one";
			case "memory" -> "memory:notes";
			case "git" -> "git:file://" + this.directory.resolve("shop");
			case "task" -> "task:agent";
			default -> "local:.";
		};
	}

	@ParameterizedTest
	@CsvSource({ "local, true, process", "local, false, process", "local, false, auto", "ephemeral, true, process",
			"ephemeral, false, process", "ephemeral, false, auto", "memory, true, process", "memory, false, process",
			"git, true, process", "git, false, process", "git, false, auto", "task, true, process",
			"task, false, process", "task, false, auto" })
	void readOnlyWorkspaceIsNotChanged(String provider, boolean byProperty, String sandbox) {
		this.runner.withPropertyValues("kairo.workspace.read-only=" + byProperty, "kairo.sandbox.type=" + sandbox)
			.run((context) -> {
				context.getBean(AgentTree.class).register("agent", "root");
				SessionRequest request = SessionRequest.of(TenantContext.SINGLE, "session").in(hint(provider));
				assertNothingIsChanged(context, byProperty ? request : request.readOnly(), provider);
			});
	}

	private void assertNothingIsChanged(ApplicationContext context, SessionRequest request, String provider)
			throws IOException {
		boolean memory = provider.equals("memory");
		ToolResult read = call(context, request, "Read", Map.of("file_path", "file"));
		assertThat(read.text()).contains(memory ? "does not exist" : "kept");
		assertRefused(call(context, request, "Write", Map.of("file_path", "made-by-write", "content", "x")));
		if (!memory) {
			assertRefused(call(context, request, "Write", Map.of("file_path", "file", "content", "changed\n")));
			assertRefused(call(context, request, "Edit",
					Map.of("file_path", "file", "old_string", "kept", "new_string", "changed")));
		}
		if (provider.equals("git")) {
			assertRefused(call(context, request, "Commit", Map.of("message", "Change")));
			assertRefused(call(context, request, "Push", Map.of("branch", "changed")));
		}
		ToolResult command = call(context, request, "Bash",
				Map.of("command", "echo changed > file; touch made-by-bash; test -e made-by-bash"));
		if (memory) {
			assertThat(command.error()).extracting(ToolError::code).isEqualTo("unsupported_file_type");
		}
		else if (command.error() != null) {
			assertThat(command.error().code()).as(command.text()).isIn("unsupported_request", "read_only");
		}
		else {
			assertThat(command.data()).as(command.text()).containsEntry("exitCode", 1);
		}
		assertThat(changed()).isEmpty();
		assertThat(call(context, request, "Read", Map.of("file_path", "file")).text()).isEqualTo(read.text());
	}

	private static void assertRefused(ToolResult result) {
		assertThat(result.error()).as(result.text()).isNotNull();
		assertThat(result.error().code()).as(result.text()).isEqualTo("read_only");
	}

	private static ToolResult call(ApplicationContext context, SessionRequest request, String tool,
			Map<String, Object> arguments) {
		return context.getBean(AgentSessions.class)
			.call(request, context.getBean(ToolCatalog.class), new ToolCall("1", tool, arguments),
					UnaryOperator.identity());
	}

	/**
	 * Returns all files that were created or changed.
	 */
	private Set<String> changed() throws IOException {
		Set<String> changed = new TreeSet<>();
		try (Stream<Path> paths = Files.walk(this.directory)) {
			for (Path path : paths.filter(Files::isRegularFile).toList()) {
				String name = path.getFileName().toString();
				if (name.startsWith("made-by") || name.equals("file") && !Files.readString(path).equals("kept\n")) {
					changed.add(path.toString());
				}
			}
		}
		return changed;
	}

}
