package io.kairo.autoconfigure.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;

import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.landlock.LandlockSandbox;
import io.kairo.sandbox.remote.autoconfigure.KairoRemoteSandboxAutoConfiguration;
import io.kairo.sandbox.remote.autoconfigure.KairoSandboxServerAutoConfiguration;
import io.kairo.sandbox.remote.autoconfigure.SandboxServerLifecycle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests that tools read what commands leave in a sandbox.
 */
@Timeout(120)
class FilesOfCommandsTests {

	private static final HostUser NOBODY = new HostUser(65534, 65534);

	private static final boolean ROOT = System.getProperty("user.name").equals("root");

	private static final String TOKEN = "the token of the agents";

	private static final String AS_NOBODY = ROOT ? "kairo.sandbox.bubblewrap.run-as=65534:65534" : "kairo.enabled=true";

	@TempDir
	Path temp;

	private Path root;

	private ApplicationContextRunner application;

	@BeforeEach
	void createWorkspace() throws IOException {
		Files.setPosixFilePermissions(this.temp, PosixFilePermissions.fromString("rwx--x--x"));
		this.root = Files.createDirectory(this.temp.toRealPath().resolve("root"));
		if (ROOT) {
			NOBODY.own(this.root);
		}
		this.application = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoToolsAutoConfiguration.class,
					KairoSandboxAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class,
					KairoTenancyAutoConfiguration.class, SslAutoConfiguration.class))
			.withPropertyValues("kairo.workspace.roots=" + this.root, "kairo.state-dir=" + this.temp.resolve("state"));
	}

	@Test
	@Tag("bubblewrap")
	void toolsReadFilesOfCommandsInBubblewrap() {
		requireBubblewrap();
		// the workspace is at /workspace, since it lies below /tmp
		this.application
			.withPropertyValues("kairo.sandbox.type=bubblewrap", AS_NOBODY, "kairo.workspace.path-policy=relative-only")
			.run((context) -> {
				FilesOfCommands.check(context, "/tmp", "$HOME", "/dev/shm");
				FilesOfCommands.checkAfterTrial(context);
			});
	}

	@Test
	@Tag("landlock")
	void toolsReadFilesOfCommandsInLandlock() {
		require("landlock", new LandlockSandbox(CommandSettings.DEFAULTS), !ROOT);
		this.application.withPropertyValues("kairo.sandbox.type=landlock")
			.run((context) -> FilesOfCommands.check(context, "$TMPDIR"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "kairo.sandbox.remote.max-copy-size=1MB", "kairo.enabled=true" })
	@Tag("bubblewrap")
	void toolsReadFilesOfCommandsOnAWorker(String copies) {
		requireBubblewrap();
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class,
					KairoSandboxServerAutoConfiguration.class, SslAutoConfiguration.class,
					KairoTenancyAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=bubblewrap", AS_NOBODY, "kairo.workspace.roots=" + this.root,
					"kairo.sandbox.server.enabled=true", "kairo.sandbox.server.port=0",
					"kairo.sandbox.server.clients.agents.token=" + TOKEN,
					"kairo.sandbox.server.clients.agents.tenants=default",
					"kairo.sandbox.server.clients.agents.roots=/", "kairo.sandbox.server.max-copies-size=10MB",
					"kairo.state-dir=" + this.temp.resolve("worker"))
			.run((worker) -> this.application
				.withConfiguration(AutoConfigurations.of(KairoRemoteSandboxAutoConfiguration.class))
				.withPropertyValues("kairo.sandbox.type=remote", "kairo.sandbox.remote.token=" + TOKEN,
						"kairo.sandbox.remote.workers=http://127.0.0.1:"
								+ Objects.requireNonNull(worker.getBean(SandboxServerLifecycle.class).address())
									.getPort(),
						"kairo.workspace.path-policy=relative-only", copies)
				.run((context) -> FilesOfCommands.check(context, "/tmp", "$HOME")));
	}

	private static void requireBubblewrap() {
		require("bubblewrap", new BubblewrapSandbox(BubblewrapOptions.DEFAULTS
			.with((changes) -> changes.commands((commands) -> commands.runAs(ROOT ? NOBODY : null)))), true);
	}

	private static void require(String type, BackendSandbox backend, boolean canBe) {
		boolean required = canBe
				&& List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains(type);
		try (backend) {
			assumeThat(backend.problem() == null || required)
				.as("SKIPPED: the problem of %s: %s", type, backend.problem())
				.isTrue();
		}
	}

}
