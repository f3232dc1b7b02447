package io.kairo.autoconfigure.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
import io.kairo.tools.ToolResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Undoes what commands did in a sandbox, and lets later commands work on it.
 */
@Timeout(120)
class RewoundCommandsTests {

	private static final HostUser NOBODY = new HostUser(65534, 65534);

	private static final boolean ROOT = System.getProperty("user.name").equals("root");

	@TempDir
	Path temp;

	@Test
	void commandsOfTheHostAreUndone() throws IOException {
		check("process");
	}

	@Test
	@Tag("bubblewrap")
	void commandsInBubblewrapAreUndone() throws IOException {
		BubblewrapOptions options = BubblewrapOptions.DEFAULTS
			.with((changes) -> changes.commands((commands) -> commands.runAs(ROOT ? NOBODY : null)));
		check("bubblewrap", new BubblewrapSandbox(options));
	}

	@Test
	@Tag("landlock")
	void commandsInLandlockAreUndone() throws IOException {
		check("landlock", new LandlockSandbox(CommandSettings.DEFAULTS));
	}

	private void check(String type, BackendSandbox backend) throws IOException {
		boolean required = !(type.equals("landlock") && ROOT)
				&& List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains(type);
		try (backend) {
			assumeThat(backend.problem() == null || required)
				.as("SKIPPED: the problem of %s: %s", type, backend.problem())
				.isTrue();
		}
		check(type);
	}

	private void check(String type) throws IOException {
		Files.setPosixFilePermissions(this.temp, PosixFilePermissions.fromString("rwx--x--x"));
		Path root = Files.createDirectory(this.temp.toRealPath().resolve("root"));
		Files.createDirectories(root.resolve("src/empty"));
		Files.writeString(root.resolve("src/a"), "one\n");
		Files.writeString(root.resolve("run"), "#!/bin/sh\n");
		Files.setPosixFilePermissions(root.resolve("run"), PosixFilePermissions.fromString("rwxr-x---"));
		if (ROOT && !type.equals("process")) {
			try (Stream<Path> files = Files.walk(root)) {
				for (Path file : files.toList()) {
					NOBODY.own(file);
				}
			}
		}
		Map<String, String> before = tree(root);
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoToolsAutoConfiguration.class,
					KairoSandboxAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class))
			.withPropertyValues("kairo.workspace.roots=" + root, "kairo.sandbox.type=" + type,
					"kairo.state-dir=" + this.temp.resolve("state"),
					(ROOT && type.equals("bubblewrap")) ? "kairo.sandbox.bubblewrap.run-as=65534:65534"
							: "kairo.enabled=true")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				call(context.getBean(ToolCatalog.class), context.getBean(AgentSessions.class), root, before);
			});
	}

	private void call(ToolCatalog catalog, AgentSessions sessions, Path root, Map<String, String> before)
			throws IOException {
		call(catalog, sessions, "Checkpoint", Map.of("name", "start"));
		bash(catalog, sessions, "rm -r src; echo changed > run; chmod 700 run; mkdir -p target/x; echo x > target/x/y;"
				+ " ln -s /etc/passwd link; true");
		bash(catalog, sessions, "mkdir src; echo two > src/a; mv target/x target/z");
		Map<String, String> after = tree(root);
		call(catalog, sessions, "Rewind", Map.of("since", "start"));
		assertThat(tree(root)).isEqualTo(before);
		call(catalog, sessions, "Rewind", Map.of("redo", true));
		assertThat(tree(root)).isEqualTo(after);
		call(catalog, sessions, "Rewind", Map.of("since", "start"));
		bash(catalog, sessions, "echo more >> src/a");
		bash(catalog, sessions, "rmdir src/empty && rm run");
		call(catalog, sessions, "Rewind", Map.of("since", "start"));
		assertThat(tree(root)).isEqualTo(before);
	}

	private static void bash(ToolCatalog catalog, AgentSessions sessions, String command) {
		ToolResult result = call(catalog, sessions, "Bash", Map.of("command", command));
		assertThat(result.data()).as(result.text()).containsEntry("exitCode", 0);
	}

	private static ToolResult call(ToolCatalog catalog, AgentSessions sessions, String tool,
			Map<String, Object> arguments) {
		ToolResult result = sessions.callInSession(TenantContext.SINGLE, "one",
				(context) -> catalog.call(new ToolCall("1", tool, arguments), context));
		assertThat(result.error()).as(result.text()).isNull();
		return result;
	}

	private static Map<String, String> tree(Path root) throws IOException {
		Map<String, String> tree = new TreeMap<>();
		try (Stream<Path> paths = Files.walk(root)) {
			for (Path path : paths.filter((each) -> !each.equals(root)).toList()) {
				String name = root.relativize(path).toString();
				if (name.equals(".git") || name.startsWith(".git/")) {
					continue; // the place of a mount
				}
				if (Files.isSymbolicLink(path)) {
					tree.put(name, "-> " + Files.readSymbolicLink(path));
				}
				else {
					tree.put(name,
							Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS) + " "
									+ PosixFilePermissions.toString(Files.getPosixFilePermissions(path)) + " "
									+ (Files.isDirectory(path) ? "" : Files.readString(path)));
				}
			}
		}
		return tree;
	}

}
