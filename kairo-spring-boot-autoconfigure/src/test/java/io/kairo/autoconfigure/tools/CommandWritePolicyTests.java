package io.kairo.autoconfigure.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the configured write policy applies to commands in a sandbox that confines
 * them.
 */
@Tag("bubblewrap")
class CommandWritePolicyTests {

	private static final HostUser NOBODY = new HostUser(65534, 65534);

	/** Protects the configuration from commands, since it is not protected everywhere. */
	private static final String MOUNTED = "kairo.workspace.protected-paths=.git/hooks,.git/config";

	private static final boolean ROOT = System.getProperty("user.name").equals("root");

	@TempDir
	Path temp;

	private Path root;

	@BeforeEach
	void makeRoot() throws IOException {
		BubblewrapOptions options = BubblewrapOptions.DEFAULTS
			.with((changes) -> changes.commands((commands) -> commands.runAs(ROOT ? NOBODY : null)));
		boolean required = List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("bubblewrap");
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(options)) {
			BackendProblem problem = sandbox.problem();
			assumeThat(required || problem == null).as("bubblewrap can be used: %s", problem).isTrue();
		}
		Files.setPosixFilePermissions(this.temp, PosixFilePermissions.fromString("rwx--x--x"));
		this.root = Files.createDirectory(this.temp.resolve("root"));
	}

	/**
	 * Runs a command that must complete.
	 */
	private void run(String command, String... properties) throws IOException {
		assertThat(call(command + "; echo came to its end", properties)).contains("came to its end");
	}

	/**
	 * Runs a command.
	 * @return the text of the result
	 */
	private String call(String command, String... properties) throws IOException {
		List<String> texts = new ArrayList<>();
		withTools((tools) -> texts.add(tools.call("Bash", Map.of("command", command)).text()), properties);
		return texts.get(0);
	}

	private void withTools(Consumer<Tools> use, String... properties) throws IOException {
		handOver();
		List<String> all = new ArrayList<>(List.of("kairo.workspace.roots=" + this.root,
				"kairo.state-dir=" + this.temp.resolve("state"), "kairo.sandbox.type=bubblewrap"));
		if (ROOT) {
			all.add("kairo.sandbox.bubblewrap.run-as=" + NOBODY);
		}
		all.addAll(List.of(properties));
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoToolsAutoConfiguration.class,
					KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class))
			.withPropertyValues(all.toArray(String[]::new))
			.run((context) -> use.accept((tool, arguments) -> context.getBean(AgentSessions.class)
				.inSession(TenantContext.SINGLE, null, (builder) -> context.getBean(ToolCatalog.class)
					.call(new ToolCall("", tool, arguments), builder.build()))));
	}

	private void handOver() throws IOException {
		if (ROOT) {
			try (Stream<Path> files = Files.walk(this.root)) {
				for (Path file : files.toList()) {
					Files.setAttribute(file, "unix:uid", NOBODY.uid(), LinkOption.NOFOLLOW_LINKS);
				}
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "echo x > .git/hooks/pre-commit", "mv .git x; mkdir -p .git/hooks; echo x > .git/hooks/x",
			"echo x >> .git/config; rm -f .git/config; mv .git/config c",
			"rm -rf .git; mkdir .git; echo x > .git/config", "mv .git g; ln -s g .git; echo x > .git/hooks/x",
			"echo x > .git/config.worktree" })
	void gitHooksAndConfigurationAreThoseBeforeByDefault(String attack) throws IOException {
		Files.createDirectories(this.root.resolve(".git/hooks"));
		Files.writeString(this.root.resolve(".git/config"), "[core]\n");
		run(attack + "; echo mine > .git/HEAD");
		assertThat(this.root.resolve(".git/hooks")).isEmptyDirectory();
		assertThat(this.root.resolve(".git/config")).hasContent("[core]\n");
		assertThat(this.root.resolve(".git/config.worktree")).doesNotExist();
		assertThat(this.root.resolve(".git/HEAD")).as("unprotected file").hasContent("mine\n");
	}

	@ParameterizedTest
	@CsvSource({ "git init, true", "git init --no-such-option, false", "git clone file:///no/repository ., true",
			"touch file; git clone file:///no/repository ., false" })
	void wayToMakeRepositoryIsGivenIfRootCannotBeOne(String command, boolean given) throws IOException {
		assumeThat(Path.of("/usr/bin/git")).as("git").exists();
		assertThat(call(command, MOUNTED).contains("as git init NAME does")).isEqualTo(given);
		assertThat(call(command)).doesNotContain("as git init NAME does");
	}

	/**
	 * The mount point of paths that are protected by mounts exists on the host while a
	 * command runs.
	 */
	@Test
	void toolsShowNoRepositoryWhileCommandRuns() throws IOException {
		Files.writeString(this.root.resolve("file"), "x");
		withTools((tools) -> {
			List<String> before = tools.answers();
			CompletableFuture<ToolResult> command = CompletableFuture.supplyAsync(() -> tools.call("Bash",
					Map.of("command", "for i in $(seq 600); do [ -e go ] && break; sleep 0.1; done; ls -A")));
			await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(this.root.resolve(".git")));
			List<String> during = tools.answers();
			boolean exists = Files.exists(this.root.resolve(".git"));
			tools.call("Write", Map.of("file_path", "go", "content", ""));
			assertThat(command.join().error()).isNull();
			assertThat(exists).as("mount point").isTrue();
			assertThat(during).isEqualTo(before);
		}, MOUNTED);
		assertThat(this.root.resolve(".git")).doesNotExist();
	}

	@ParameterizedTest
	@ValueSource(strings = { "mkdir -p .claude; echo x > .claude/settings.json", "ln -s /tmp .claude; echo x > /tmp/x",
			"mkdir c; echo x > c/settings.json; mv -T c .claude; rm -rf .claude; mv c .claude",
			"rm -rf .claude; mkdir .claude; cp /etc/passwd .claude/settings.json" })
	void missingProtectedPathCannotBeCreated(String attack) throws IOException {
		run(attack + "; echo mine > own", "kairo.workspace.protected-paths=.claude/settings.json");
		assertThat(this.root.resolve(".claude/settings.json")).doesNotExist();
		assertThat(this.root.resolve("own")).hasContent("mine\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "relative-only", "logical" })
	void hostPathsAreHiddenFromResultsIfPolicyHidesThem(String policy) throws IOException {
		Files.createDirectories(this.root.resolve("src/main"));
		Files.createDirectories(this.root.resolve(".git/hooks"));
		String text = call(
				"cd src/main; pwd; echo mine > own; cat /workspace/src/main/own; cd /workspace; echo x > .git/hooks/x; "
						+ "echo x > other; set; pwd; cd src",
				"kairo.workspace.path-policy=" + policy, "kairo.workspace.allowed-prefixes=src");
		// the order of the two streams of output is not defined
		assertThat(text).contains("/workspace/src/main\n", "mine\n", "/workspace\n", "current directory: ")
			.doesNotContain(this.root.toString(), "current directory is the workspace root");
		assertThat(this.root.resolve("src/main/own")).hasContent("mine\n");
		assertThat(this.root.resolve("other")).doesNotExist();
		assertThat(this.root.resolve(".git/hooks")).isEmptyDirectory();
	}

	@ParameterizedTest
	@ValueSource(strings = { "relative-only", "logical" })
	void hostPathsAreHiddenFromErrorsIfPolicyHidesThem(String policy) throws IOException {
		Files.createSymbolicLink(this.root.resolve(".git"), Path.of("real"));
		assertThat(call("true", "kairo.workspace.path-policy=" + policy)).contains("/workspace/.git")
			.doesNotContain(this.temp.toString());
	}

	@Test
	void protectedPathsApplyToAddedDirectories() throws IOException {
		Path further = Files.createDirectory(this.root.resolve("further"));
		Path primary = Files.createDirectory(this.root.resolve("primary"));
		run("cd " + further + "; mkdir -p .git/hooks; echo x > .git/hooks/x; echo x > .git/config; echo mine > own",
				"kairo.workspace.roots=" + primary, "kairo.workspace.add-dirs=" + further);
		assertThat(further.resolve(".git/hooks")).doesNotExist();
		assertThat(further.resolve(".git/config")).doesNotExist();
		assertThat(further.resolve("own")).hasContent("mine\n");
	}

	@Test
	void commandsCannotWriteOutsideAllowedPrefixes() throws IOException {
		Files.createDirectories(this.root.resolve("src/main"));
		run("echo x > own; mv src s; rm -rf src; echo x > outside; mkdir docs; echo mine > src/main/own",
				"kairo.workspace.allowed-prefixes=src/main,docs");
		assertThat(this.root.resolve("own")).doesNotExist();
		assertThat(this.root.resolve("outside")).doesNotExist();
		assertThat(this.root.resolve("docs")).as("allowed prefix that did not exist before").doesNotExist();
		assertThat(this.root.resolve("src/main/own")).hasContent("mine\n");
	}

	@Test
	void readOnlyAppliesToCommands() throws IOException {
		run("echo x > own", "kairo.workspace.read-only=true");
		assertThat(this.root).isEmptyDirectory();
	}

	@Test
	void protectedDirectoryThatIsLinkIsReported() throws IOException {
		Files.createSymbolicLink(this.root.resolve(".git"), Files.createDirectory(this.temp.resolve("elsewhere")));
		assertThat(catchThrowable(() -> run("echo x > .git/config"))).hasMessageContainingAll(".git", "symbolic link");
		assertThat(this.temp.resolve("elsewhere")).isEmptyDirectory();
	}

	@ParameterizedTest
	@ValueSource(strings = { "relative-only", "logical" })
	void hostPathsAreHiddenFromCommandsIfPolicyHidesThem(String policy) throws IOException {
		Files.createDirectories(this.root.resolve("src/.git"));
		Files.createDirectories(this.root.resolve("locked"));
		run("cd src; pwd > pwd.txt; ls -d /*/locked > seen.txt; echo x > ../own; echo x > /workspace/locked/own; "
				+ "ls " + this.root + " > host.txt; echo x > .git/config", "kairo.workspace.path-policy=" + policy,
				"kairo.workspace.allowed-prefixes=src", "kairo.workspace.protected-paths=src/.git/config");
		assertThat(this.root.resolve("src/pwd.txt")).hasContent("/workspace/src\n");
		assertThat(this.root.resolve("src/seen.txt")).hasContent("/workspace/locked\n");
		assertThat(this.root.resolve("src/host.txt")).isEmptyFile();
		assertThat(this.root.resolve("own")).doesNotExist();
		assertThat(this.root.resolve("locked")).isEmptyDirectory();
		assertThat(this.root.resolve("src/.git")).isEmptyDirectory();
	}

	/**
	 * The tools of an application.
	 */
	private interface Tools {

		ToolResult call(String tool, Map<String, Object> arguments);

		default List<String> answers() {
			return List.of(call("List", Map.of()).text(), call("List", Map.of("path", ".git")).text(),
					call("Glob", Map.of("pattern", "**")).text(), call("Grep", Map.of("pattern", "x")).text(),
					call("Info", Map.of()).text(), call("Read", Map.of("file_path", ".git")).text());
		}

	}

}
