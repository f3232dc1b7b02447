package io.kairo.sandbox.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.proxy.AllowList;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * Tests which requests a {@link LocalProcessSandbox} honours and which it refuses.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
@Timeout(120)
class LocalProcessRequestTests {

	@RegisterExtension
	final LocalProcessFixture fixture = new LocalProcessFixture();

	private Commands commands() {
		return this.fixture.commands();
	}

	@Nested
	class Environment {

		@Test
		void environmentContainsOnlyAllowListedAndRequestedVariables() {
			String[] lines = commands().run("env", (request) -> request.env(Map.of("OWN", "it's mine")))
				.out()
				.split("\n");
			assertThat(lines).contains("OWN=it's mine");
			// the last one for a user whose home directory is another than HOME
			assertThat(Arrays.stream(lines).map((line) -> line.substring(0, line.indexOf('=')))).isSubsetOf("PATH",
					"LANG", "HOME", "OWN", "KAIRO_EXECUTION", "PWD", "OLDPWD", "SHLVL", "_", "JAVA_TOOL_OPTIONS");
		}

		@Test
		void asteriskInInheritEnvPassesTheWholeEnvironment() {
			try (LocalProcessSandbox open = new LocalProcessSandbox(
					CommandSettings.DEFAULTS.with((commands) -> commands.inheritEnv(List.of("*"))))) {
				String names = new Commands(open, LocalProcessRequestTests.this.fixture.workspace()).run("env").out();
				System.getenv()
					.keySet()
					.stream()
					.filter((name) -> !name.equals("_") && !name.startsWith("BASH_"))
					.forEach((name) -> assertThat(names).contains(name + "="));
			}
		}

		@Test
		void tooLargeOrInvalidEnvironmentIsRefused() {
			Map<String, String> large = new HashMap<>();
			for (int i = 0; i < 100; i++) {
				large.put("V" + i, "x".repeat(100_000));
			}
			assertRefused(SandboxErrorCode.INVALID_ENVIRONMENT, "true", (request) -> request.env(large));
			assertRefused(SandboxErrorCode.INVALID_ENVIRONMENT, "true", (request) -> request.env(Map.of("A=", "")));
		}

	}

	@Nested
	class Directories {

		@Test
		void lastDirectoryOfTheShellIsReported() throws Exception {
			Path directory = Files
				.createDirectory(LocalProcessRequestTests.this.fixture.workspace().resolve("a \n'b' \u00e9"));
			assertThat(commands().run("set -eu -o noclobber; cd a*; exit 3").directory())
				.isEqualTo(directory.toRealPath());
			assertThat(commands().run("cd a*; false").directory()).isEqualTo(directory.toRealPath());
			assertThat(commands().run("(cd a*)").directory())
				.isEqualTo(LocalProcessRequestTests.this.fixture.workspace().toRealPath());
		}

		@ParameterizedTest
		@ValueSource(strings = { "exec true", "kill -KILL $$", "trap 'echo mine' EXIT; exit",
				"mkdir gone; cd gone; rmdir ../gone" })
		void lastDirectoryIsNullIfTheShellCannotReportIt(String command) {
			Commands.Outcome outcome = commands().run(command);
			assertThat(outcome.directory()).isNull();
			assertThat(outcome.err()).isEmpty();
		}

		@ParameterizedTest
		@ValueSource(strings = { "trap - EXIT", "trap 'cd /' EXIT", "trap '' TERM" })
		void lastDirectoryIsReportedWithTraps(String command) throws Exception {
			Commands.Outcome outcome = commands().run("cd ..; " + command);
			assertThat(outcome.directory())
				.isEqualTo(LocalProcessRequestTests.this.fixture.workspace().toRealPath().getParent());
			assertThat(outcome.err()).isEmpty();
		}

		@Test
		void directoryReportIsNotTracedByTheShell() {
			Commands.Outcome outcome = commands().run("set -x; cd /; false");
			assertThat(outcome.err()).isEqualTo("++ cd /\n++ false\n");
			assertThat(outcome.exit().exitCode()).isEqualTo(1);
		}

	}

	@Nested
	class Refusals {

		@Test
		void unsupportedAttributesAreRefused() {
			Path parent = LocalProcessRequestTests.this.fixture.workspace().getParent();
			for (SandboxAttributes.Builder attributes : List.of(
					SandboxAttributes.builder().protectedPaths(List.of(".git")),
					SandboxAttributes.builder().workspaceTarget("/elsewhere"),
					SandboxAttributes.builder().mounts(List.of(new SandboxAttributes.Mount(parent, false))),
					SandboxAttributes.builder()
						.mounts(List.of(new SandboxAttributes.Mount(Path.of("/usr"), "/other", true))))) {
				assertRefused(SandboxErrorCode.UNSUPPORTED_REQUEST, "true",
						(request) -> request.attributes(attributes.build()));
			}
		}

		@Test
		void attributesWithoutEffectAreAccepted() {
			Path workspace = LocalProcessRequestTests.this.fixture.workspace();
			SandboxAttributes attributes = SandboxAttributes.builder()
				.workspaceTarget(workspace.toString())
				.mounts(List.of(new SandboxAttributes.Mount(workspace, true)))
				.sessionId("s")
				.build();
			assertThat(commands().run("true", (request) -> request.attributes(attributes)).exit().exitCode()).isZero();
		}

		@Test
		void commandThatIsTooLongOrContainsNulIsRefused() {
			assertRefused(SandboxErrorCode.INVALID_COMMAND, "echo \0", (request) -> request);
			assertRefused(SandboxErrorCode.INVALID_COMMAND, "x".repeat(140_000), (request) -> request);
		}

		@Test
		void inaccessibleWorkingDirectoryIsRefused() throws IOException {
			Path closed = Files.createDirectory(LocalProcessRequestTests.this.fixture.workspace().resolve("closed"),
					PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
			assumeFalse(Files.isExecutable(closed), "root may enter any directory");
			assertRefused(SandboxErrorCode.INVALID_DIRECTORY, "true",
					(request) -> request.attributes(SandboxAttributes.builder().workingDirectory(closed).build()));
		}

		@Test
		void capabilitiesClaimOnlySupportedFeaturesAndGiveReasons() {
			assertThat(LocalProcessRequestTests.this.fixture.sandbox().capabilities().backend()).isEqualTo("process");
			assertThat(LocalProcessRequestTests.this.fixture.sandbox().capabilities().enforced())
				.contains(SandboxCapability.STDIN)
				.isSubsetOf(SandboxCapability.STDIN, SandboxCapability.READ_ONLY, SandboxCapability.TREE_KILL,
						SandboxCapability.CPU_TIME);
			for (SandboxCapability capability : SandboxCapability.values()) {
				assertThat(LocalProcessRequestTests.this.fixture.sandbox().capabilities().reason(capability))
					.isNotBlank();
			}
		}

		@Test
		void settingsThatCannotBeAppliedAreRefused() {
			for (CommandSettings settings : List.of(
					CommandSettings.DEFAULTS.with((commands) -> commands.network(Network.NONE)),
					CommandSettings.DEFAULTS
						.with((commands) -> commands.allowList(AllowList.of(List.of("example.org")))),
					CommandSettings.DEFAULTS.with((commands) -> commands.runAs(new HostUser(65534, 65534))))) {
				assertThatIllegalArgumentException().isThrownBy(() -> new LocalProcessSandbox(settings))
					.withMessageContaining("use a sandbox that isolates");
			}
		}

	}

	private ThrowableAssertAlternative<SandboxException> assertRefused(SandboxErrorCode code, String command,
			UnaryOperator<SandboxRequest.Builder> changes) {
		return assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> commands().start(command, changes))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(code))
			.satisfies((ex) -> assertThat(ex.remedy()).isNotBlank());
	}

}
