package io.kairo.autoconfigure.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.command.BashTool;
import io.kairo.workspace.git.autoconfigure.KairoGitWorkspaceAutoConfiguration;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for the program {@code git} in a sandbox that hides the host: it can read the
 * objects that its checkout borrows, and no other fetched data.
 */
@Tag("bubblewrap")
class CommandsInGitWorkspacesTests {

	private static final HostUser NOBODY = new HostUser(65534, 65534);

	private static final boolean ROOT = System.getProperty("user.name").equals("root");

	@TempDir
	Path temp;

	private Path state;

	@BeforeEach
	void makeRepositories() throws Exception {
		BubblewrapOptions options = BubblewrapOptions.DEFAULTS
			.with((changes) -> changes.commands((commands) -> commands.runAs(ROOT ? NOBODY : null)));
		boolean required = List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("bubblewrap");
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(options)) {
			BackendProblem problem = sandbox.problem();
			assumeThat(required || problem == null).as("bubblewrap can be used: %s", problem).isTrue();
		}
		assumeThat(Path.of("/usr/bin/git")).as("the program git is in a directory that commands can see").exists();
		Files.setPosixFilePermissions(this.temp, PosixFilePermissions.fromString("rwx--x--x"));
		this.state = this.temp.toRealPath().resolve("state");
		makeRepository("shop");
		makeRepository("bank");
	}

	private void makeRepository(String name) throws Exception {
		Path repository = this.temp.toRealPath().resolve(name);
		try (Git git = Git.init().setDirectory(repository.toFile()).setInitialBranch("main").call()) {
			for (String line : List.of("one", "two")) {
				Files.writeString(repository.resolve("README.md"), name + " " + line + "\n");
				git.add().addFilepattern(".").call();
				git.commit().setMessage("Say " + line).setAuthor("Ann", "ann@example.org").setSign(false).call();
			}
		}
	}

	/**
	 * Runs a scenario with checkouts of both repositories. Its commands run in the first.
	 */
	private void withCheckouts(Scenario scenario, String... properties) {
		List<String> all = new ArrayList<>(List.of("kairo.state-dir=" + this.state, "kairo.sandbox.type=bubblewrap",
				"kairo.workspace.git.allowed-urls=file://" + this.state.resolveSibling(""),
				"kairo.workspace.roots=" + this.state.resolveSibling("shop")));
		if (ROOT) {
			all.add("kairo.sandbox.bubblewrap.run-as=" + NOBODY);
		}
		all.addAll(List.of(properties));
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(KairoToolsAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class,
							KairoGitWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class))
			.withPropertyValues(all.toArray(String[]::new))
			.run((context) -> {
				WorkspaceProvider provider = context.getBean(WorkspaceProvider.class);
				Workspace shop = acquire(provider, "shop");
				acquire(provider, "bank");
				ToolContext tools = ToolContext.builder(shop)
					.files(context.getBean(WorkspaceFilesFactory.class).open(shop))
					.sandbox(context.getBean(ExecutionSandbox.class))
					.build();
				scenario.run(shop, (command) -> new BashTool().call(Map.of("command", command), tools));
			});
	}

	private Workspace acquire(WorkspaceProvider provider, String name) {
		return provider.acquire(WorkspaceRequest.writable("git:file://" + this.state.resolveSibling(name)));
	}

	/**
	 * Returns the size, mode, inode and modification time of each file in the stores.
	 */
	private Map<String, String> stores() throws IOException {
		Map<String, String> found = new TreeMap<>();
		try (Stream<Path> files = Files.walk(this.state.resolve("git/stores"))) {
			for (Path file : files.toList()) {
				found.put(file.toString(),
						Files.readAttributes(file, "unix:size,mode,ino,lastModifiedTime").toString());
			}
		}
		return found;
	}

	@Test
	void commandSeesHistory() {
		withCheckouts((workspace, shell) -> {
			assertThat(shell.apply("git log --format=%s").text()).isEqualTo("Say two\nSay one");
			assertThat(shell.apply("git status --short --branch").text()).isEqualTo("## main...origin/main");
			assertThat(shell.apply("echo three >> README.md; git diff").text()).contains("+three");
			assertThat(shell.apply("git show HEAD~1:README.md").text()).isEqualTo("shop one");
			assertThat(shell.apply("git blame -s README.md | cut -c1-8 | sort -u | wc -l").text()).isEqualTo("2");
			assertThat(shell.apply("git fsck --full").data()).containsEntry("exitCode", 0);
		});
	}

	@Test
	void commandCanCommit() {
		withCheckouts((workspace, shell) -> {
			assertThat(
					shell.apply("echo three >> README.md; git commit -qam 'Say three' && git log --format=%s").text())
				.isEqualTo("Say three\nSay two\nSay one");
			assertThat(shell.apply("git checkout -q -b other HEAD~2 && cat README.md").text()).isEqualTo("shop one");
		});
	}

	@Test
	void commandInReadOnlyWorkspaceSeesHistory() {
		withCheckouts((workspace, shell) -> {
			assertThat(workspace.writable()).isFalse();
			assertThat(shell.apply("git log --format=%s").text()).isEqualTo("Say two\nSay one");
		}, "kairo.workspace.read-only=true");
	}

	@Test
	void commandCannotChangeStore() {
		List<String> attacks = List.of("echo x > $store/x", "rm -rf $store/pack",
				"chmod -R a+w $store; echo x > $store/info/x", "mv $store /tmp/x; mkdir -p $store/pack",
				"for file in $store/*/*; do echo x >> $file; done",
				"git hash-object -w /etc/passwd; cp -r .git/objects/* $store",
				"GIT_OBJECT_DIRECTORY=$store git hash-object -w --stdin < /etc/passwd");
		withCheckouts((workspace, shell) -> {
			Map<String, String> before = stores();
			for (String attack : attacks) {
				shell.apply("store=$(cat .git/objects/info/alternates); " + attack);
				assertThat(stores()).as(attack).isEqualTo(before);
			}
			assertThat(before).hasSizeGreaterThan(20);
		});
	}

	@Test
	void commandSeesOnlyObjectsOfItsOwnRemote() {
		withCheckouts((workspace, shell) -> {
			Path objects = workspace.borrowedDirectories().get(0);
			assertThat(shell.apply("find " + this.state.resolve("git/stores") + " -name '*.git'").text())
				.isEqualTo(objects.getParent().toString());
			assertThat(shell.apply("ls -A " + objects.getParent()).text()).isEqualTo("objects");
			assertThat(shell.apply("find " + this.state + " -name config -o -name '*.lock' -o -name fetched").text())
				.isEqualTo(workspace.root().resolve(".git/config").toString());
		});
	}

	@Test
	void checkoutThatNamesAnotherStoreFindsNoObjects() throws IOException {
		withCheckouts((workspace, shell) -> {
			try (Stream<Path> stores = Files.list(this.state.resolve("git/stores"))) {
				Path other = stores.filter((store) -> store.toString().endsWith(".git"))
					.map((store) -> store.resolve("objects"))
					.filter((store) -> !workspace.borrowedDirectories().contains(store))
					.findFirst()
					.orElseThrow();
				assertThat(shell.apply("git cat-file --batch-all-objects --batch-check | wc -l").text()).isEqualTo("6");
				shell.apply("echo '" + other + "' > .git/objects/info/alternates");
				assertThat(shell.apply("git cat-file --batch-all-objects --batch-check 2> /dev/null | wc -l").text())
					.isEqualTo("0");
			}
		});
	}

	/**
	 * A sequence of commands in a checkout.
	 */
	@FunctionalInterface
	private interface Scenario {

		void run(Workspace workspace, Function<String, ToolResult> shell) throws Exception;

	}

}
