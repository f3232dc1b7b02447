package io.kairo.autoconfigure.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.landlock.LandlockSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Runs commands that fail because of their sandbox, each of which has to get a remark
 * with the cause, and commands that fail for other reasons, which must not get any.
 */
@Tag("bubblewrap")
@Tag("landlock")
class RefusalTests {

	private static final HostUser NOBODY = new HostUser(65534, 65534);

	private static final boolean ROOT = System.getProperty("user.name").equals("root");

	private static final String NETWORK = "commands have no network here";

	private static final String PLACES = "commands can write to the workspace";

	private static final String PROTECTED = "is protected from commands";

	private static final String NAMESPACES = "programs cannot create namespaces";

	private static final String DEVICES = "commands have no devices";

	private static final String TEMPORARY = "use $TMPDIR";

	private static final String SOCKETS = "no internet sockets";

	/** Commands that fail in each sandbox, with a part of the remark. */
	private static final Map<String, String> REFUSED = Map.of("curl -sS http://host.invalid/", NETWORK,
			"echo x > /dev/tcp/host.invalid/80", NETWORK,
			"/usr/bin/python3 -c 'import socket; socket.gethostbyname(\"host.invalid\")'", NETWORK, "unshare -U true",
			NAMESPACES, "unshare -r id", NAMESPACES, "dd if=/dev/nosuch of=x count=1", DEVICES, "cat < /dev/nosuch",
			DEVICES, "git -C worktree status", "linked worktree", "git -C worktree log", "linked worktree");

	private static final Map<String, String> REFUSED_BY_MOUNTS = Map.of("touch /usr/x", PLACES, "mkdir /opt/x/y -p",
			PLACES, "echo x > /etc/x", PLACES, "cp a /usr/lib/a", PLACES,
			"/usr/bin/python3 -c 'open(\"/usr/x\", \"w\")'", PLACES, "git clone -q repository /srv/clone", PLACES,
			"echo x > .git/hooks/pre-commit", PROTECTED, "rm -rf .git/hooks", PROTECTED, "mv .git/hooks away",
			PROTECTED, "head -c 1 < /dev/kvm", DEVICES);

	private static final Map<String, String> REFUSED_BY_RULES = Map.of("echo x > /tmp/refused-file", TEMPORARY,
			"touch /var/tmp/refused-file", TEMPORARY, "mkdir /tmp/refused-directory", TEMPORARY, "mktemp /tmp/x.XXXXXX",
			TEMPORARY, "ls /tmp", TEMPORARY, "/usr/bin/python3 -c 'open(\"/tmp/refused-file\", \"w\")'", TEMPORARY,
			"echo x > /dev/tcp/127.0.0.1/1", SOCKETS, "curl -sS http://127.0.0.1:1/", SOCKETS,
			"/usr/bin/python3 -m http.server 1", SOCKETS,
			"/usr/bin/python3 -c 'import multiprocessing; multiprocessing.Semaphore()'", "no named semaphores");

	private static final List<String> ORDINARY = List.of("false", "exit 3", "ls nosuch", "cat nosuch", "nosuch-program",
			"mkdir a/b", "rmdir repository", "cp nosuch x", "mv nosuch x", "cd nosuch", "echo $((1/0))",
			"bash -c 'echo ('", "test -f nosuch", "kill -0 99999", "git -C no-repository checkout nosuch",
			"git -C repository checkout nosuch", "git clone -q nosuch x", "./a", "chmod 700 nosuch", "tar xf nosuch",
			"gzip -d a", "sed -n p nosuch", "awk 'syntax {'", "find nosuch", "diff a /dev/null", "sh -c 'exit 126'",
			"kill -9 $$", "timeout 0.1 sleep 5", "perl -e 'die'", "expr 1 / 0", "ln a a", "grep needle a",
			"echo x > a/b", "echo x > no-repository", "head -c 5000 /dev/zero > /dev/full", "sort --nosuch",
			"cat tmp/a", "/usr/bin/python3 -c 'raise OSError(13, \"Permission denied\", \"x\")'",
			"/usr/bin/python3 -c 'import nosuch'");

	@TempDir
	Path temp;

	@Test
	void bubblewrapSaysWhatItRefuses() throws IOException {
		BubblewrapOptions options = BubblewrapOptions.DEFAULTS
			.with((changes) -> changes.commands((commands) -> commands.runAs(ROOT ? NOBODY : null)));
		check("bubblewrap", new BubblewrapSandbox(options), REFUSED_BY_MOUNTS);
	}

	@Test
	void landlockSaysWhatItRefuses() throws IOException {
		check("landlock", new LandlockSandbox(CommandSettings.DEFAULTS), REFUSED_BY_RULES);
	}

	private void check(String type, BackendSandbox backend, Map<String, String> refused) throws IOException {
		boolean required = !(type.equals("landlock") && ROOT)
				&& List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains(type);
		try (backend) {
			assumeThat(backend.problem() == null || required)
				.as("SKIPPED: the problem of %s: %s", type, backend.problem())
				.isTrue();
		}
		for (String program : List.of("git", "python3", "curl", "perl")) {
			assumeThat(Path.of("/usr/bin", program)).as("SKIPPED: a program that commands can see").exists();
		}
		Files.setPosixFilePermissions(this.temp, PosixFilePermissions.fromString("rwx--x--x"));
		Path root = Files.createDirectory(this.temp.toRealPath().resolve("root"));
		for (String directory : List.of("repository", "worktree", "no-repository", "tmp")) {
			Files.createDirectory(root.resolve(directory));
		}
		Files.writeString(root.resolve("a"), "text\n");
		Files.setPosixFilePermissions(Files.writeString(root.resolve("tmp/a"), "text\n"),
				PosixFilePermissions.fromString("---------"));
		Files.writeString(root.resolve("worktree/.git"), "gitdir: /srv/main/.git/worktrees/work\n");
		if (ROOT) {
			try (Stream<Path> files = Files.walk(root)) {
				for (Path file : files.toList()) {
					Files.setAttribute(file, "unix:uid", NOBODY.uid(), LinkOption.NOFOLLOW_LINKS);
				}
			}
		}
		Map<String, String> all = new LinkedHashMap<>(REFUSED);
		all.putAll(refused);
		SoftAssertions expected = new SoftAssertions();
		withBash(type, root, (bash) -> {
			bash.apply("git init -q; git -C repository init -q");
			all.forEach((command, remark) -> expected.assertThat(bash.apply(command)).as(command).contains(remark));
			for (String command : ORDINARY) {
				expected.assertThat(bash.apply(command))
					.as(command)
					.matches("(?s).*\\((exit code \\d+|killed by \\w+)[^;]*\\)\\s*");
			}
			return "";
		});
		expected.assertAll();
	}

	private void withBash(String type, Path root, Function<Function<String, String>, String> use) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoToolsAutoConfiguration.class,
					KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.workspace.roots=" + root, "kairo.state-dir=" + this.temp.resolve("state"),
					"kairo.sandbox.type=" + type, (ROOT) ? "kairo.sandbox.bubblewrap.run-as=" + NOBODY : "x=y")
			.run((context) -> context.getBean(AgentSessions.class)
				.inSession(TenantContext.SINGLE, "one",
						(builder) -> use.apply((command) -> context.getBean(ToolCatalog.class)
							.call(new ToolCall("", "Bash", Map.of("command", command)), builder.build())
							.text())));
	}

}
