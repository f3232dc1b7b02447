package io.kairo.autoconfigure.tools;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for the program {@code git} in commands with the default write policy.
 */
@Tag("bubblewrap")
class GitCommandsTests {

	private static final HostUser NOBODY = new HostUser(65534, 65534);

	private static final boolean ROOT = System.getProperty("user.name").equals("root");

	/** Everything that an agent does with a repository of its own. */
	private static final String WORK = """
			set -e
			export GIT_ALLOW_PROTOCOL=file
			git config user.name Ann; git config user.email ann@example.org
			echo a > a; git add a; git commit -qm A
			git init -q --bare -b main /tmp/origin.git; git init -q /tmp/lib
			(cd /tmp/lib; echo l > l; git add l; git -c user.name=A -c user.email=a@b commit -qm L)
			git push -q /tmp/origin.git main
			git remote add origin https://git.example.org/origin.git
			git config url./tmp/origin.git.insteadOf https://git.example.org/origin.git
			git fetch -q; git push -q -u origin main
			git checkout -q --track -b topic origin/main
			echo b >> a; git stash -q; git stash pop -q; git commit -qam B
			git checkout -q main; git commit -q --allow-empty -m C
			git checkout -q topic; git rebase -q main; git branch -q --set-upstream-to=origin/main
			git worktree add -q wt main
			(cd wt; git config --local user.name Bob; git status --short)
			git submodule add -q /tmp/lib sub; (cd sub; git config user.name Sub)
			git commit -qm S; git log --format=%s | tr '\\n' ' '
			git clone -q /tmp/origin.git clone; (cd clone; git config user.name Clone; git checkout -q -b x)
			""";

	@TempDir
	Path temp;

	private Path root;

	private @Nullable String identity;

	@BeforeEach
	void makeRoot() throws IOException {
		BubblewrapOptions options = BubblewrapOptions.DEFAULTS
			.with((changes) -> changes.commands((commands) -> commands.runAs(ROOT ? NOBODY : null)));
		boolean required = List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("bubblewrap");
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(options)) {
			BackendProblem problem = sandbox.problem();
			assumeThat(required || problem == null).as("bubblewrap can be used: %s", problem).isTrue();
		}
		assumeThat(Path.of("/usr/bin/git")).as("the program git is in a directory that commands can see").exists();
		Files.setPosixFilePermissions(this.temp, PosixFilePermissions.fromString("rwx--x--x"));
		this.root = Files.createDirectory(this.temp.toRealPath().resolve("root"));
	}

	private List<String> run(String... commands) throws IOException {
		if (ROOT) {
			try (Stream<Path> files = Files.walk(this.root)) {
				for (Path file : files.toList()) {
					Files.setAttribute(file, "unix:uid", NOBODY.uid(), LinkOption.NOFOLLOW_LINKS);
				}
			}
		}
		List<String> texts = new ArrayList<>();
		withTools((tools) -> {
			for (String command : commands) {
				texts.add(tools.apply("Bash", Map.of("command", command)).text());
			}
		});
		return texts;
	}

	private void withTools(Consumer<BiFunction<String, Map<String, Object>, ToolResult>> use) {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(KairoToolsAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class,
							KairoSandboxAutoConfiguration.class, KairoExecutionsAutoConfiguration.class))
			.withPropertyValues("kairo.workspace.roots=" + this.root, "kairo.state-dir=" + this.temp.resolve("state"),
					"kairo.sandbox.type=bubblewrap", ROOT ? "kairo.sandbox.bubblewrap.run-as=" + NOBODY : "x=y",
					(this.identity != null) ? "kairo.sandbox.git-identity=" + this.identity : "x=y")
			.run((context) -> context.getBean(AgentSessions.class).inSession(TenantContext.SINGLE, "one", (builder) -> {
				use.accept((tool, arguments) -> context.getBean(ToolCatalog.class)
					.call(new ToolCall("", tool, arguments), builder.build()));
				return "";
			}));
	}

	private String git(String... arguments) throws IOException {
		List<String> command = Stream.concat(Stream.of("git", "-c", "safe.directory=*"), Stream.of(arguments)).toList();
		ProcessBuilder builder = new ProcessBuilder(command).directory(this.root.toFile()).redirectErrorStream(true);
		builder.environment().putAll(Map.of("HOME", this.temp.toString(), "GIT_CONFIG_NOSYSTEM", "1"));
		Process process = builder.start();
		return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void agentWorksWithItsRepository(boolean repository) throws IOException {
		if (repository) {
			git("init", "-q", "-b", "main");
			git("config", "alias.mine", "!status");
		}
		assertThat(run((repository ? "" : "set -e; ls -A; git init -q -b main\n") + WORK).get(0)).startsWith("S B C A")
			.contains("removed from .git", "url./tmp/origin.git.insteadof", "submodule.sub.url");
		String config = git("config", "--local", "--list");
		assertThat(config)
			.contains("user.name=Bob", "user.email=ann@example.org", "branch.topic.merge=refs/heads/main",
					"branch.main.remote=origin", "remote.origin.url=https://git.example.org/origin.git",
					"submodule.sub.active=true")
			.doesNotContain("insteadof");
		assertThat(config.contains("alias.mine")).isEqualTo(repository);
		assertThat(git("config", "--file", ".git/modules/sub/config", "--list")).contains("user.name=Sub",
				"core.worktree=../../../sub");
		assertThat(git("status", "--short")).doesNotContain("fatal", "error");
		assertThat(run("git status --short; git -C wt log -1 --format=%s; git -C sub log -1 --format=%s").get(0))
			.contains("C\nL");
	}

	@Test
	void nextCommandWorksInRepositoryOfThePreviousOne() throws IOException {
		assertThat(run("ls -la; git init -q; git config user.name Ann; ls -a",
				"git config user.email a@b; git commit -q --allow-empty -m A",
				"echo evil > .git/hooks/pre-commit || git remote add origin https://h/x",
				"git branch -m main; git tag x"))
			.allMatch((text) -> !text.contains("removed from") && !text.contains("exit code"))
			.first()
			.asString()
			.containsOnlyOnce(".git");
		assertThat(git("config", "--local", "--list")).contains("user.name=Ann", "user.email=a@b", "https://h/x");
		assertThat(this.root.resolve(".git/hooks/pre-commit")).doesNotExist();
		assertThat(this.root.resolve(".git/config.worktree")).doesNotExist();
	}

	@Test
	void authorThatGitDoesNotKnowCanBeConfiguredAsAdvised() throws IOException {
		String commit = "git commit -q --allow-empty -m A";
		List<String> texts = run("git init -q", commit,
				"git config --global user.name Ann; git config --global user.email a@b", commit,
				"git config user.name Bea; git config user.email b@b", commit, "git log --format=%an");
		assertThat(texts.get(1)).contains("identity unknown")
			.endsWith("exit code 128; git config --global lasts no longer than the session: leave out --global)");
		assertThat(texts.get(6)).startsWith("Bea\nAnn");
	}

	@Test
	void configuredIdentityIsThatOfCommits() throws IOException {
		this.identity = "Agent One <agent@example.org>";
		assertThat(run("git init -q; git commit -q --allow-empty -m A; git log --format='%an %ae %cn %ce'").get(0))
			.startsWith("Agent One agent@example.org Agent One agent@example.org");
	}

	@Test
	void repositoryIsClonedIntoRoot() throws IOException {
		assertThat(run("git init -q --bare -b main /tmp/o.git; git init -q -b main /tmp/w; cd /tmp/w; "
				+ "git -c user.name=A -c user.email=a@b commit -q --allow-empty -m A; git push -q /tmp/o.git main; cd - >/dev/null; "
				+ "git clone -q /tmp/o.git .; git log --format=%s; git status")
			.get(0)).startsWith("A\nOn branch main\n").contains("remote.origin.url");
		assertThat(run("git remote add origin https://h/x; git branch --set-upstream-to=origin/main main || true; "
				+ "git log --format=%s")
			.get(0)).contains("A").doesNotContain("removed from");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "git config core.fsmonitor ./evil", "printf '[core]\\n\\tfsmonitor = ./evil\\n' >> .git/config",
					"printf '[core]\\n\\tfsmonitor = ./evil\\n' > more; git config include.path ../more",
					"cp .git/config c; git config -f c core.fsmonitor ./evil; rm .git/config; ln -s ../c .git/config",
					"git config core.fsmonitor ./evil; chmod 000 .git/config .git",
					"git config core.fsmonitor ./evil; mkfifo x; sleep 300 & kill -9 $$" })
	void whatCommandPlantsIsNotRunByGitOutside(String attack) throws IOException {
		git("init", "-q");
		git("config", "alias.mine", "!true");
		String before = Files.readString(this.root.resolve(".git/config"));
		String evil = "printf '#!/bin/sh\\ntouch " + this.temp.resolve("ran") + "\\n' > evil; chmod +x evil; ";
		assertThat(run(evil + attack).get(0)).contains("removed from .git");
		assertThat(git("status", "--short")).contains("?? evil").doesNotContain("fatal");
		assertThat(this.temp.resolve("ran")).doesNotExist();
		assertThat(this.root.resolve(".git/config")).hasContent(before);
		// the test would notice it
		git("config", "core.fsmonitor", "./evil");
		git("status", "--short");
		assertThat(this.temp.resolve("ran")).exists();
	}

	@Test
	void whatGitWouldRunIsRemovedAndNamed() throws IOException {
		List<String> texts = run(
				"git init -q; git config user.name Ann; git config core.fsmonitor evil; git config alias.st '!evil'; "
						+ "echo evil > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
				"mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; git config core.hooksPath evil; chmod 0 .git; echo ran",
				"git remote add o /tmp/x; git config branch.main.remote evil");
		assertThat(texts.get(0)).contains("removed from .git", "core.fsmonitor", "alias.st", "hooks/pre-commit");
		assertThat(texts.get(1)).contains("core.hookspath");
		assertThat(texts.get(2)).contains("remote.o.url", "branch.main.remote");
		assertThat(git("config", "--local", "--list")).contains("user.name=Ann").doesNotContain("evil", "/tmp/x");
		assertThat(this.root.resolve(".git/hooks/pre-commit")).doesNotExist();
	}

	@Test
	void rootWithoutRepositoryShowsNone() throws IOException {
		assertThat(run("ls -A; stat .git 2>/dev/null; git status 2>&1 | head -1").get(0))
			.startsWith("fatal: not a git repository");
		assertThat(this.root).isEmptyDirectory();
	}

	@Test
	void configurationIsReadOnlyWhereItCannotBeChecked() throws IOException {
		git("init", "-q");
		Files.writeString(this.root.resolve(".git/config"), "[");
		assertThat(run("echo '[alias]' > .git/config").get(0)).contains("Read-only file system");
		assertThat(this.root.resolve(".git/config")).hasContent("[");
	}

	@Test
	void repositoryIsMadeWhileCommandRunsInTheBackground() throws IOException {
		run("true");
		withTools((tools) -> {
			tools.apply("Bash", Map.of("run_in_background", true, "command", "sleep 300"));
			assertThat(tools.apply("Bash", Map.of("command",
					"git init -q; git config user.name A; git config user.email a@b; git commit -q --allow-empty -m A"))
				.text()).startsWith("(no output)").doesNotContain("exit code");
			assertThat(tools.apply("Bash", Map.of("command", "git log --format=%s; git branch -q x")).text())
				.startsWith("A");
		});
		assertThat(git("config", "--local", "--list")).contains("user.name=A");
		assertThat(this.temp.resolve("state/repositories"))
			.isDirectoryNotContaining((file) -> !file.toString().endsWith(".claim"));
	}

	@Test
	void commandInTheBackgroundIsCheckedAtItsEnd() throws IOException {
		git("init", "-q");
		run("true");
		withTools((tools) -> {
			ToolResult started = tools.apply("Bash", Map.of("run_in_background", true, "command",
					"until [ -e go ]; do sleep 0.1; done; git config alias.y '!evil'"));
			String id = String.valueOf(started.data().get("id"));
			assertThat(tools.apply("Bash", Map.of("command", "git config alias.x '!evil'; touch go")).text())
				.contains("alias.x");
			assertThat(tools.apply("BashOutput", Map.of("id", id, "wait_for", "never", "timeout", 30_000)).text())
				.contains("alias.y", "removed from .git");
		});
		assertThat(git("config", "--local", "--list")).doesNotContain("evil");
	}

	/** The end of the session ends the command. */
	@Test
	void commandThatEndsWithItsSessionIsChecked() throws IOException {
		git("init", "-q");
		run("true");
		withTools((tools) -> {
			tools.apply("Bash", Map.of("run_in_background", true, "command",
					"trap '' TERM; while :; do git config alias.y '!evil'; touch ready; done"));
			tools.apply("Bash", Map.of("command", "until [ -e ready ]; do sleep 0.1; done"));
		});
		assertThat(this.root.resolve("ready")).exists();
		assertThat(git("config", "--local", "--list")).doesNotContain("evil");
		assertThat(this.temp.resolve("state/repositories"))
			.isDirectoryNotContaining((file) -> !file.toString().endsWith(".claim"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "git init --no-such-option", "git init; false", "git clone missing .",
			"echo 'fatal: x/.git: no'; git init -q; exit 3" })
	void failureOfAnotherKindHasNoHint(String command) throws IOException {
		assertThat(run(command).get(0)).contains("exit code").doesNotContain("no Git repository can be made");
	}

}
