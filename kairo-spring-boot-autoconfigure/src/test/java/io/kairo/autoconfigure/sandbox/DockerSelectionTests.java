package io.kairo.autoconfigure.sandbox;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.SandboxCustomizer;
import io.kairo.sandbox.docker.DockerOptions;
import io.kairo.sandbox.docker.autoconfigure.KairoDockerSandboxAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for the selection of the Docker sandbox and for {@code kairo.sandbox.auto-order},
 * on a machine with or without Docker.
 */
class DockerSelectionTests {

	@TempDir
	Path state;

	private final ApplicationContextRunner withoutModule = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class))
		.withPropertyValues("kairo.sandbox.bubblewrap.executable=/no/bwrap");

	private final ApplicationContextRunner contextRunner = this.withoutModule
		.withConfiguration(AutoConfigurations.of(KairoDockerSandboxAutoConfiguration.class))
		.withPropertyValues("kairo.sandbox.docker.host=unix:///no/docker.sock");

	private final ApplicationContextRunner withImage = this.contextRunner
		.withPropertyValues("kairo.sandbox.docker.image=agents:1.0");

	@ParameterizedTest
	@ValueSource(strings = { "type", "auto-order", "tenants.acme.type" })
	void absentModuleFailsStartupAndNamesArtifact(String property) {
		this.withoutModule.withPropertyValues("kairo.sandbox." + property + "=docker")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox." + property, "'docker'", "io.kairo:kairo-sandbox-docker",
						"add it"));
	}

	@Test
	void absentModuleDoesNotAffectOtherSandboxes() {
		this.withoutModule
			.run((context) -> assertThat(context.getBean(SandboxChoice.class).type()).isIn("landlock", "process"));
	}

	@ParameterizedTest
	@CsvSource({ "type, docker", "auto-order, 'process,docker'", "tenants.acme.type, docker" })
	void missingImageFailsStartup(String property, String value) {
		this.contextRunner.withPropertyValues("kairo.sandbox." + property + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox." + property, "kairo.sandbox.docker.image", "perl"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "type", "tenants.acme.type" })
	void configuredDockerFailsStartupIfEngineDoesNotAnswer(String property) {
		this.withImage.withPropertyValues("kairo.sandbox." + property + "=docker")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(SandboxException.class, (ex) -> {
					FailureAnalysis analysis = new SandboxFailureAnalyzer().analyze(ex, ex);
					assertThat(analysis.getDescription()).contains("daemon_unreachable", "/no/docker.sock");
					assertThat(analysis.getAction()).contains("kairo.sandbox.docker.host");
				}));
	}

	@Test
	void dockerIsNotTriedByDefault() {
		this.withImage.run((context) -> {
			assertThat(context.getBean(SandboxChoice.class).type()).isIn("landlock", "process");
			assertThat(context.getBean(SandboxChoice.class).reason()).contains("bwrap_missing")
				.doesNotContain("docker");
		});
	}

	@Test
	void reasonContainsProblemOfEachTriedSandbox() {
		this.withImage
			.withPropertyValues("kairo.sandbox.auto-order[0]=docker", "kairo.sandbox.auto-order[1]=bubblewrap",
					"kairo.sandbox.auto-order[2]=process", "kairo.sandbox.docker.run-as=65534")
			.run((context) -> {
				assertThat(context.getBean(ExecutionSandbox.class).capabilities().backend()).isEqualTo("process");
				assertThat(context.getBean(SandboxChoice.class).reason()).matches(
						"docker cannot be used: daemon_unreachable: .*; bubblewrap cannot be used: bwrap_missing: .*"
								+ "; commands have the rights of this application, not those of 65534"
								+ " \\(kairo.sandbox.docker.run-as\\)");
			});
	}

	@Test
	void startFailsWithReasonsIfNoSandboxOfOrderWorks() {
		this.withImage.withPropertyValues("kairo.sandbox.auto-order=bubblewrap,docker")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(SandboxException.class)
				.hasMessageContainingAll("bwrap_missing", "install the package", "daemon_unreachable",
						"start the Docker engine", "kairo.sandbox.auto-order"));
		this.contextRunner.withPropertyValues("kairo.sandbox.auto-order=bubblewrap")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("bwrap_missing"));
	}

	@Test
	void firstSandboxOfOrderIsSelectedIfItWorks() {
		this.withImage.withPropertyValues("kairo.sandbox.auto-order=process,docker").run((context) -> {
			assertThat(context.getBean(SandboxChoice.class).type()).isEqualTo("process");
			assertThat(context.getBean(SandboxChoice.class).reason())
				.isEqualTo("the first of kairo.sandbox.auto-order that works here");
		});
	}

	@ParameterizedTest
	@CsvSource({ "root, must run as another user", "0:65534, must run as another user",
			"no-such-user, is not a user of this machine" })
	void invalidUserIsReportedWithProperty(String user, String message) {
		this.withImage.withPropertyValues("kairo.sandbox.type=docker", "kairo.sandbox.docker.run-as=" + user)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.docker.run-as", user, message));
	}

	@Test
	void differentUsersOfSandboxesFailStartupOfRoot() {
		assumeThat(System.getProperty("user.name")).as("SKIPPED: only root can run commands as other users")
			.isEqualTo("root");
		this.contextRunner.withConfiguration(AutoConfigurations.of(KairoWorkspaceAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=none", "kairo.sandbox.bubblewrap.run-as=65534",
					"kairo.sandbox.docker.run-as=1000")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.docker.run-as", "1000:1000",
						"kairo.sandbox.bubblewrap.run-as, 65534:65534", "the same"));
	}

	@Test
	void optionsAreThoseOfPropertiesAndCustomizers() {
		List<DockerOptions> given = new ArrayList<>();
		this.withImage
			.withBean(Customizers.class,
					() -> new Customizers(given, (options) -> options.host(URI.create("unix:///no/other.sock"))))
			.withPropertyValues("kairo.state-dir=" + this.state, "kairo.sandbox.auto-order=docker,process",
					"kairo.sandbox.docker.runtime=runsc", "kairo.sandbox.docker.mode=command",
					"kairo.sandbox.docker.idle-timeout=90", "kairo.sandbox.docker.max-idle=3",
					"kairo.sandbox.docker.lease=1m", "kairo.sandbox.docker.run-as=1000:1001",
					"kairo.sandbox.inherit-env=LANG,LC_*", "kairo.sandbox.process-limits.open-files=64")
			.run((context) -> assertThat(context.getBean(SandboxChoice.class).reason()).contains("/no/other.sock"));
		DockerOptions options = given.get(0);
		assertThat(options).isEqualTo(DockerOptions.of("agents:1.0")
			.with((changes) -> changes.host(URI.create("unix:///no/docker.sock"))
				.runtime("runsc")
				.mode(DockerOptions.Mode.COMMAND)
				.idleTimeout(Duration.ofSeconds(90))
				.maxIdle(3)
				.lease(Duration.ofMinutes(1))
				.commands((commands) -> commands.runAs(new HostUser(1000, 1001))
					.inheritEnv(List.of("LANG", "LC_*"))
					.directory(this.state.resolve("sandbox"))
					.hiddenPaths(List.of(this.state))
					.caches(options.commands().caches())
					.shutdownGrace(Duration.ofSeconds(60))
					.limits(options.commands().limits()))));
		assertThat(options.commands().limits().perProcess().openFiles()).isEqualTo(64);
	}

	@Test
	void limitsOfTenantApplyToItsContainers() {
		List<DockerOptions> given = new ArrayList<>();
		this.withImage.withBean(Customizers.class, () -> new Customizers(given, (options) -> {
		}))
			.withPropertyValues("kairo.sandbox.type=process", "kairo.sandbox.tenants.acme.type=auto",
					"kairo.sandbox.tenants.acme.limits.memory=64MB", "kairo.sandbox.tenants.acme.limits.tmpfs-size=1MB",
					"kairo.sandbox.auto-order=docker")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("daemon_unreachable"));
		assertThat(given).singleElement().satisfies((options) -> {
			assertThat(options.commands().tmpfsBytes()).isEqualTo(1 << 20);
			assertThat(options.commands().limits().set()).containsOnlyKeys(SandboxCapability.MEMORY_LIMIT);
		});
	}

	@Test
	void emptyUserLeavesTheUserToTheSandbox() {
		List<DockerOptions> given = new ArrayList<>();
		this.withImage.withBean(Customizers.class, () -> new Customizers(given, (options) -> {
		}))
			.withPropertyValues("kairo.sandbox.type=docker", "kairo.sandbox.docker.run-as=")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("daemon_unreachable"));
		assertThat(given).singleElement().satisfies((options) -> assertThat(options.commands().runAs()).isNull());
	}

	/**
	 * A customizer that collects the options.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		private final List<DockerOptions> given;

		private final SandboxCustomizer<DockerOptions.Builder> change;

		Customizers(List<DockerOptions> given, SandboxCustomizer<DockerOptions.Builder> change) {
			this.given = given;
			this.change = change;
		}

		@Bean
		SandboxCustomizer<DockerOptions.Builder> customizer() {
			return (options) -> {
				this.given.add(options.build());
				this.change.customize(options);
			};
		}

	}

}
