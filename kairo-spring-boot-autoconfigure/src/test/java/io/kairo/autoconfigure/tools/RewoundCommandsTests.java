package io.kairo.autoconfigure.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.landlock.LandlockSandbox;
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
		Path root = this.temp.toRealPath().resolve("root");
		RewoundCommands commands = RewoundCommands.in(root, (ROOT && !type.equals("process")) ? NOBODY : null);
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoToolsAutoConfiguration.class,
					KairoSandboxAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class))
			.withPropertyValues("kairo.workspace.roots=" + root, "kairo.sandbox.type=" + type,
					"kairo.state-dir=" + this.temp.resolve("state"),
					(ROOT && type.equals("bubblewrap")) ? "kairo.sandbox.bubblewrap.run-as=65534:65534"
							: "kairo.enabled=true")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				commands.check(context);
			});
	}

}
