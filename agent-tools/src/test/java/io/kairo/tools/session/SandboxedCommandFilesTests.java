package io.kairo.tools.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.tenant.TenantContext;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.landlock.LandlockSandbox;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.file.ListTool;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.search.GrepTool;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests that tools read the temporary files that commands leave in a sandbox.
 */
@Timeout(120)
class SandboxedCommandFilesTests {

	private static final HostUser NOBODY = new HostUser(65534, 65534);

	private static final boolean ROOT = System.getProperty("user.name").equals("root");

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private static final TenantContext GLOBEX = new TenantContext("globex", "ann");

	private final ToolCatalog catalog = ToolCatalog
		.of(List.of(new BashTool(), new ReadTool(), new ListTool(), new GrepTool()), List.of());

	@TempDir
	private Path temp;

	@Test
	@Tag("bubblewrap")
	void toolsReadTemporaryFilesOfCommandsInBubblewrap() throws IOException {
		BubblewrapOptions options = BubblewrapOptions.DEFAULTS
			.with((changes) -> changes.commands((commands) -> commands.runAs(ROOT ? NOBODY : null)));
		// the workspace is at /workspace, since it lies below /tmp
		check("bubblewrap", new BubblewrapSandbox(options), PathPolicy.RELATIVE_ONLY);
	}

	@Test
	@Tag("landlock")
	void toolsReadTemporaryFilesOfCommandsInLandlock() throws IOException {
		check("landlock", new LandlockSandbox(CommandSettings.DEFAULTS), PathPolicy.ROOTS);
	}

	@Test
	void toolsDoNotReadTemporaryFilesOfTheHost() throws IOException {
		try (AgentSessions sessions = sessions(new LocalProcessSandbox(), PathPolicy.ROOTS)) {
			String file = call(sessions, ACME, "Bash", Map.of("command", "mktemp")).text().strip();
			try {
				assertThat(call(sessions, ACME, "Read", Map.of("file_path", file)).error()).isNotNull()
					.satisfies((error) -> assertThat(error.nextStep()).startsWith("Use Bash"));
			}
			finally {
				Files.delete(Path.of(file));
			}
		}
	}

	private AgentSessions sessions(ExecutionSandbox sandbox, PathPolicy policy) throws IOException {
		Files.setPosixFilePermissions(this.temp, PosixFilePermissions.fromString("rwx--x--x"));
		Path workspace = Files.createDirectory(this.temp.toRealPath().resolve("workspace"));
		if (ROOT) {
			Files.setAttribute(workspace, "unix:uid", NOBODY.uid(), LinkOption.NOFOLLOW_LINKS);
		}
		return new AgentSessions(new LocalDirectoryWorkspaceProvider(workspace),
				new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withPathPolicy(policy)), sandbox);
	}

	private ToolResult call(AgentSessions sessions, TenantContext tenant, String tool, Map<String, ?> arguments) {
		return sessions.callInSession(tenant, "s1", (context) -> this.catalog.call(tool, arguments, context));
	}

	private void check(String type, BackendSandbox backend, PathPolicy policy) throws IOException {
		boolean required = !(type.equals("landlock") && ROOT)
				&& List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains(type);
		try (backend; AgentSessions sessions = sessions(backend, policy)) {
			assumeThat(backend.problem() == null || required)
				.as("SKIPPED: the problem of %s: %s", type, backend.problem())
				.isTrue();
			String directory = call(sessions, ACME, "Bash", Map.of("command", """
					cd ${TMPDIR:-/tmp} && echo 'BUILD FAILURE' > out.log && mkfifo pipe && mkdir deep && chmod 0 out.log
					ln -s /etc/shadow shadow; ln -s ../home home; ln -s /proc/self/root/etc/passwd up; ln -s / deep/root
					chmod 600 out.log && mv out.log deep && pwd""")).text().lines().findFirst().orElseThrow();
			String log = directory + "/deep/out.log";
			assertThat(read(sessions, ACME, log).text()).contains("BUILD FAILURE");
			assertThat(call(sessions, ACME, "List", Map.of("path", directory)).text()).contains(directory);
			ToolResult found = call(sessions, ACME, "Grep",
					Map.of("pattern", "FAILURE|root", "path", directory, "output_mode", "content"));
			assertThat(found.text()).contains(log + ":1:BUILD FAILURE").doesNotContain("/bin");
			for (String name : List.of("shadow", "home", "up", "deep/root/etc/passwd", "pipe", "../home", "none")) {
				assertThat(read(sessions, ACME, directory + "/" + name).error()).as(name).isNotNull();
			}
			assertThat(read(sessions, GLOBEX, log).error()).isNotNull();
			call(sessions, GLOBEX, "Bash", Map.of("command", "echo theirs > ${TMPDIR:-/tmp}/theirs"));
			assertThat(read(sessions, GLOBEX, log).error()).isNotNull();
			assertThat(read(sessions, ACME, directory + "/theirs").error()).isNotNull();
		}
	}

	private ToolResult read(AgentSessions sessions, TenantContext tenant, String path) {
		return call(sessions, tenant, "Read", Map.of("file_path", path));
	}

}
