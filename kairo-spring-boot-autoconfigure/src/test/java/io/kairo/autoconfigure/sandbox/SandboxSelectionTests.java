package io.kairo.autoconfigure.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for the selection of a sandbox and its reason.
 */
class SandboxSelectionTests {

	private static final String NO_BWRAP = "kairo.sandbox.bubblewrap.executable=/no/bwrap";

	private static final String NO_LANDLOCK = "kairo.sandbox.auto-order=bubblewrap,process";

	@TempDir
	Path state;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class));

	private static boolean isRoot() {
		return System.getProperty("user.name").equals("root");
	}

	@Test
	void processSandboxIsSelectedWithReasonIfBubblewrapIsMissing() {
		this.contextRunner.withPropertyValues(NO_BWRAP, NO_LANDLOCK).run((context) -> {
			assertThat(context.getBean(ExecutionSandbox.class).capabilities().backend()).isEqualTo("process");
			assertThat(context.getBean(SandboxChoice.class).reason()).contains("bwrap_missing", "install");
		});
	}

	@Test
	void processSandboxIsSelectedForRootWithoutRunAs() {
		assumeThat(isRoot()).as("the tests run as root").isTrue();
		assumeThat(Files.exists(Path.of("/usr/bin/bwrap"))).as("bwrap is installed").isTrue();
		this.contextRunner.run((context) -> {
			assertThat(context.getBean(ExecutionSandbox.class).capabilities().backend()).isEqualTo("process");
			assertThat(context.getBean(SandboxChoice.class).reason()).contains("root_without_run_as",
					"kairo.sandbox.bubblewrap.run-as");
		});
	}

	@Test
	void configuredBubblewrapFailsStartupIfItIsMissing() {
		this.contextRunner.withPropertyValues("kairo.sandbox.type=bubblewrap", NO_BWRAP).run((context) -> {
			assertThat(context).getFailure().rootCause().isInstanceOfSatisfying(SandboxException.class, (ex) -> {
				assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE);
				FailureAnalysis analysis = new SandboxFailureAnalyzer().analyze(ex, ex);
				assertThat(analysis.getDescription()).contains("bwrap_missing");
				assertThat(analysis.getAction()).isEqualTo("Install the package 'bubblewrap' of the system.");
			});
		});
	}

	@Test
	void runAsRootFailsStartup() {
		this.contextRunner.withPropertyValues("kairo.sandbox.bubblewrap.run-as=root")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.bubblewrap.run-as", "65534"));
	}

	@Test
	void tmpfsSizeFailsStartupWithProcessSandbox() {
		this.contextRunner.withPropertyValues("kairo.sandbox.type=process", "kairo.sandbox.limits.tmpfs-size=1MB")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("kairo.sandbox.limits.tmpfs-size"));
	}

	@Test
	void reasonContainsUnusedRunAs() {
		this.contextRunner.withPropertyValues("kairo.sandbox.bubblewrap.run-as=65534", NO_BWRAP, NO_LANDLOCK)
			.run((context) -> {
				assertThat(context.getBean(ExecutionSandbox.class).capabilities().backend()).isEqualTo("process");
				assertThat(context.getBean(SandboxChoice.class).reason()).contains("bwrap_missing",
						"the rights of this application, not those of 65534 (kairo.sandbox.bubblewrap.run-as)");
			});
	}

	@Test
	void blankRunAsIsIgnored() {
		this.contextRunner.withPropertyValues("kairo.sandbox.bubblewrap.run-as=", NO_BWRAP, NO_LANDLOCK)
			.run((context) -> assertThat(context.getBean(ExecutionSandbox.class).capabilities().backend())
				.isEqualTo("process"));
	}

	@Test
	void requiredIsolationFailsStartupIfBubblewrapIsMissing() {
		this.contextRunner.withPropertyValues("kairo.sandbox.require-isolation=true", NO_BWRAP, NO_LANDLOCK)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("kairo.sandbox.require-isolation"));
	}

	@Nested
	@Tag("bubblewrap")
	class WithBubblewrap {

		private ApplicationContextRunner runner() {
			BubblewrapOptions options = BubblewrapOptions.DEFAULTS;
			if (isRoot()) {
				options = options
					.with((changes) -> changes.commands((commands) -> commands.runAs(new HostUser(65534, 65534))));
			}
			boolean required = List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(","))
				.contains("bubblewrap");
			try (BubblewrapSandbox sandbox = new BubblewrapSandbox(options)) {
				BackendProblem problem = sandbox.problem();
				assumeThat(required || problem == null).as("bubblewrap can be used: %s", problem).isTrue();
			}
			ApplicationContextRunner runner = SandboxSelectionTests.this.contextRunner
				.withPropertyValues("kairo.state-dir=" + SandboxSelectionTests.this.state);
			return isRoot() ? runner.withPropertyValues("kairo.sandbox.bubblewrap.run-as=65534") : runner;
		}

		@Test
		void bubblewrapIsSelectedIfItIsAvailable() {
			runner().withPropertyValues("kairo.sandbox.require-isolation=true", "kairo.sandbox.network=none")
				.run((context) -> {
					assertThat(context.getBean(ExecutionSandbox.class).capabilities().backend())
						.isEqualTo("bubblewrap");
					assertThat(context.getBean(SandboxChoice.class).type()).isEqualTo("bubblewrap");
					assertThat(context.getBean(SandboxChoice.class).reason()).contains("strongest");
				});
		}

		@Test
		void configuredProcessSandboxIsNotReplaced() {
			runner().withPropertyValues("kairo.sandbox.type=process")
				.run((context) -> assertThat(context.getBean(ExecutionSandbox.class).capabilities().backend())
					.isEqualTo("process"));
		}

		@Test
		void hostNetworkIsAvailableIfConfigured() {
			runner().withPropertyValues("kairo.sandbox.network=host")
				.run((context) -> assertThat(
						context.getBean(ExecutionSandbox.class).capabilities().has(SandboxCapability.NETWORK_OFF))
					.isFalse());
		}

		@Test
		void allowListIsEnforcedByBubblewrap() {
			runner()
				.withPropertyValues("kairo.sandbox.network=allow-list",
						"kairo.sandbox.network-allow=example.org,*.example.org:8443")
				.run((context) -> {
					SandboxCapabilities capabilities = context.getBean(ExecutionSandbox.class).capabilities();
					assertThat(capabilities.has(SandboxCapability.NETWORK_ALLOW_LIST)).isTrue();
					assertThat(capabilities.has(SandboxCapability.NETWORK_OFF)).isFalse();
				});
		}

		@Test
		void invalidHostIsReportedWithProperty() {
			runner()
				.withPropertyValues("kairo.sandbox.network=allow-list", "kairo.sandbox.network-allow=https://x.org/")
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContainingAll("kairo.sandbox.network-allow", "'https://x.org/' is no host"));
		}

		@Test
		void enforcedLimitIsReportedAsCapability() {
			runner().withPropertyValues("kairo.sandbox.limits.file-size=1MB", "kairo.sandbox.limits.tmpfs-size=1MB")
				.run((context) -> assertThat(
						context.getBean(ExecutionSandbox.class).capabilities().has(SandboxCapability.FILE_SIZE_LIMIT))
					.isTrue());
		}

		@Test
		void memoryLimitIsEnforcedOrFailsStartup() {
			runner().withPropertyValues("kairo.sandbox.limits.memory=256MB").run((context) -> {
				if (context.getStartupFailure() == null) {
					assertThat(
							context.getBean(ExecutionSandbox.class).capabilities().has(SandboxCapability.MEMORY_LIMIT))
						.isTrue();
				}
				else {
					assertThat(context).getFailure()
						.rootCause()
						.hasMessageContainingAll("kairo.sandbox.limits.memory", "bubblewrap", "use another sandbox");
				}
			});
		}

	}

}
