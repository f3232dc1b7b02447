package io.kairo.autoconfigure.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.sandbox.support.process.NativeLauncher;
import io.kairo.workspace.git.autoconfigure.KairoGitWorkspaceAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KairoHealthAutoConfiguration}.
 */
class KairoHealthAutoConfigurationTests {

	@TempDir
	Path directory;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KairoHealthAutoConfiguration.class,
				KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class));

	@Test
	void workspaceHealthReportsRootAndFreeSpace() {
		this.contextRunner.withPropertyValues("kairo.workspace.roots=" + this.directory).run((context) -> {
			Health health = health(context, "kairoWorkspaceHealthIndicator");
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("root", this.directory.toString())
				.containsEntry("writable", true)
				.containsKey("freeBytes");
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "local | true | true | true", "memory | true | true | not in a directory",
			"local | true | false | trials are turned off", "local | false | true | kairo.checkpoints.enabled=false" })
	void workspaceHealthReportsCheckpointsAndTrials(String provider, boolean checkpoints, boolean trials,
			String expected) {
		this.contextRunner.withConfiguration(AutoConfigurations.of(KairoToolsAutoConfiguration.class))
			.withPropertyValues("kairo.workspace.roots=" + this.directory, "kairo.workspace.provider=" + provider,
					"kairo.state-dir=" + this.directory + "-state", "kairo.checkpoints.enabled=" + checkpoints,
					"kairo.trials.enabled=" + trials)
			.run((context) -> {
				Map<String, Object> details = health(context, "kairoWorkspaceHealthIndicator").getDetails();
				assertThat(details.get("trials")).asString().contains(expected);
				assertThat(details.get("checkpoints")).isEqualTo(checkpoints ? true : details.get("trials"));
			});
	}

	@Test
	void workspaceHealthReportsDirectoryOfTenantsWithoutCreatingOne() {
		this.contextRunner.withPropertyValues("kairo.workspace.roots=" + this.directory + "/{tenant}")
			.run((context) -> {
				Health health = health(context, "kairoWorkspaceHealthIndicator");
				assertThat(health.getStatus()).isEqualTo(Status.UP);
				assertThat(health.getDetails()).containsEntry("directoryOfTenants", this.directory.toString());
				assertThat(this.directory).isEmptyDirectory();
			});
	}

	@Test
	void workspaceHealthUsesDefaultTenant() {
		this.contextRunner.withPropertyValues("kairo.tenancy.default=house")
			.run((context) -> assertThat(health(context, "kairoWorkspaceHealthIndicator").getStatus())
				.isEqualTo(Status.UP));
	}

	@Test
	void workspaceHealthUsesProviderOfTheApplicationWithoutWorkspaceLocal() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.kairo.workspace"))
			.withBean(WorkspaceProvider.class, OwnProvider::new)
			.run((context) -> assertThat(health(context, "kairoWorkspaceHealthIndicator").getStatus())
				.isEqualTo(Status.UP));
	}

	@Test
	void workspaceHealthUsesConfiguredHint() throws Exception {
		Path named = Files.createDirectory(this.directory.resolve("named"));
		this.contextRunner.withPropertyValues("kairo.workspace.roots=" + this.directory, "kairo.workspace.hint=named")
			.run((context) -> {
				Health health = health(context, "kairoWorkspaceHealthIndicator");
				assertThat(health.getDetails()).containsEntry("root", named.toString()).containsEntry("hint", "named");
				Files.delete(named);
				assertThat(health(context, "kairoWorkspaceHealthIndicator").getStatus()).isEqualTo(Status.DOWN);
			});
	}

	@Test
	void workspaceHealthReportsMemoryDespiteRoots() {
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.directory, "kairo.workspace.hint=memory:notes")
			.run((context) -> assertThat(health(context, "kairoWorkspaceHealthIndicator").getDetails())
				.containsEntry("provider", "memory")
				.containsEntry("hint", "memory:notes")
				.containsEntry("onDisk", false)
				.doesNotContainKey("root"));
	}

	@Test
	void memoryWorkspaceIsNotWritableIfReadOnly() {
		this.contextRunner.withPropertyValues("kairo.workspace.provider=memory", "kairo.workspace.read-only=true")
			.run((context) -> {
				assertThat(health(context, "kairoWorkspaceHealthIndicator").getDetails()).containsEntry("writable",
						false);
				Workspace workspace = context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable(null));
				assertThat(workspace.writable()).isFalse();
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/{tenant}" })
	void workspaceWithTooLittleFreeSpaceIsDown(String below) {
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.directory + below,
					"kairo.health.min-free-space=1000000TB")
			.run((context) -> {
				Health health = health(context, "kairoWorkspaceHealthIndicator");
				assertThat(health.getStatus()).isEqualTo(Status.DOWN);
				assertThat(health.getDetails()).hasEntrySatisfying("problem",
						(problem) -> assertThat(problem).asString().contains("kairo.health.min-free-space"));
			});
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.directory + below, "kairo.workspace.read-only=true",
					"kairo.health.min-free-space=1000000TB")
			.run((context) -> assertThat(health(context, "kairoWorkspaceHealthIndicator").getStatus())
				.isEqualTo(Status.UP));
	}

	@Test
	void negativeFreeSpaceFailsStartup() {
		this.contextRunner.withPropertyValues("kairo.health.min-free-space=-1B")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.health.min-free-space", "-1B", "must not be below 0"));
	}

	@Test
	void seedIsNotCopiedForHealth() throws Exception {
		Files.createDirectories(this.directory.resolve("seeds/template"));
		this.contextRunner
			.withPropertyValues("kairo.workspace.ephemeral.directory=" + this.directory.resolve("made"),
					"kairo.workspace.ephemeral.seeds=" + this.directory.resolve("seeds"),
					"kairo.workspace.hint=ephemeral:template")
			.run((context) -> {
				Health health = health(context, "kairoWorkspaceHealthIndicator");
				assertThat(health.getStatus()).isEqualTo(Status.UP);
				assertThat(health.getDetails()).containsEntry("provider", "ephemeral")
					.containsEntry("hint", "ephemeral:template")
					.containsEntry("writable", true);
				assertThat(health.getDetails().get("root").toString())
					.startsWith(this.directory.resolve("made").toString());
			});
	}

	@Test
	void remoteIsNotCheckedOutForHealth() throws Exception {
		Path state = this.directory.resolve("state");
		this.contextRunner.withConfiguration(AutoConfigurations.of(KairoGitWorkspaceAutoConfiguration.class))
			.withPropertyValues("kairo.state-dir=" + state, "kairo.workspace.hint=git:https://git.invalid/shop.git")
			.run((context) -> {
				Health health = health(context, "kairoWorkspaceHealthIndicator");
				assertThat(health.getStatus()).isEqualTo(Status.UP);
				assertThat(health.getDetails()).containsEntry("provider", "git")
					.containsEntry("hint", "git:https://git.invalid/shop.git")
					.containsEntry("remote", "not asked")
					.containsEntry("directory", state.resolve("git").toString());
			});
	}

	@Test
	void missingWorkspaceIsDown() throws Exception {
		Path root = Files.createDirectory(this.directory.resolve("root"));
		this.contextRunner.withPropertyValues("kairo.workspace.roots=" + root).run((context) -> {
			Files.delete(root);
			assertThat(health(context, "kairoWorkspaceHealthIndicator").getStatus()).isEqualTo(Status.DOWN);
		});
	}

	@Test
	void sandboxHealthReportsBackendIsolationAndReason() {
		this.contextRunner.withPropertyValues("kairo.sandbox.type=process").run((context) -> {
			Health health = health(context, "kairoSandboxHealthIndicator");
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("backend", "process")
				.containsEntry("isolation", "none")
				.containsEntry("choice", "kairo.sandbox.type is process")
				.containsKey("reason");
		});
	}

	@Test
	void sandboxIsCheckedInEmptyDirectoryOfItsOwn() {
		Path state = this.directory.resolve("state");
		AtomicReference<SandboxRequest> checked = new AtomicReference<>();
		this.contextRunner.withPropertyValues("kairo.state-dir=" + state)
			.withBean(ExecutionSandbox.class, () -> (request) -> {
				checked.set(request);
				throw new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE, "not running", "start it");
			})
			.run((context) -> {
				assertThat(health(context, "kairoSandboxHealthIndicator").getStatus()).isEqualTo(Status.DOWN);
				assertThat(checked.get().workspaceRoot()).isEqualTo(state.resolve("health")).isEmptyDirectory();
			});
	}

	@Test
	void sandboxHealthReportsWhetherCommandsAreStartedDirectly() {
		this.contextRunner.withPropertyValues("kairo.sandbox.type=process")
			.run((context) -> assertThat(health(context, "kairoSandboxHealthIndicator").getDetails())
				.hasEntrySatisfying("directStarts", (direct) -> {
					String problem = NativeLauncher.problem();
					assertThat(direct).isEqualTo((problem != null) ? problem : true);
				}));
		this.contextRunner.withPropertyValues("kairo.sandbox.type=process", "kairo.native-calls=false")
			.run((context) -> assertThat(health(context, "kairoSandboxHealthIndicator").getDetails())
				.containsEntry("directStarts", "kairo.native-calls is false"));
	}

	@Test
	void sandboxHealthReportsThatProcess1DoesNotWaitForLeftovers() {
		assertThat(SandboxHealthIndicator.notReaped("process", 1)).contains("process 1", "--init");
		assertThat(SandboxHealthIndicator.notReaped("landlock", 1)).contains("process 1", "--init");
		assertThat(SandboxHealthIndicator.notReaped("bubblewrap", 1)).isNull();
		assertThat(SandboxHealthIndicator.notReaped("docker", 1)).isNull();
		assertThat(SandboxHealthIndicator.notReaped("process", 7)).isNull();
	}

	@Test
	void sandboxHealthReportsUnenforcedPolicies() {
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.directory, "kairo.sandbox.type=process",
					"kairo.workspace.protected-paths=.git/hooks,.claude", "kairo.workspace.allowed-prefixes=src",
					"kairo.workspace.path-policy=logical")
			.run((context) -> assertThat(health(context, "kairoSandboxHealthIndicator").getDetails()).containsEntry(
					"fileToolsAlone",
					List.of("protected-paths [.git/hooks, .claude]", "allowed-prefixes [src]", "path-policy logical")));
	}

	@Test
	void sandboxHealthReportsNoUnenforcedPoliciesIfNoneAreConfigured() {
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.directory, "kairo.sandbox.type=process",
					"kairo.workspace.protected-paths=")
			.run((context) -> assertThat(health(context, "kairoSandboxHealthIndicator").getDetails())
				.doesNotContainKey("fileToolsAlone"));
	}

	@Test
	void failingSandboxIsDownAndCheckedAgainAfterDelay() {
		AtomicInteger starts = new AtomicInteger();
		AtomicLong time = new AtomicLong();
		SandboxHealthIndicator indicator = new SandboxHealthIndicator((request) -> {
			starts.incrementAndGet();
			throw new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE, "not running", "start it");
		}, null, true, (capabilities) -> List.of(), () -> null, Map::of, () -> this.directory, time::get);
		assertThat(indicator.health(true).getStatus()).isEqualTo(Status.DOWN);
		assertThat(indicator.health(true).getDetails()).containsEntry("problem", "not running: start it");
		assertThat(starts).hasValue(1);
		time.addAndGet(31_000_000_000L);
		indicator.health(true);
		assertThat(starts).hasValue(2);
	}

	@Test
	void sandboxWithUnexpectedFailureIsCheckedAgainAfterDelay() {
		AtomicInteger starts = new AtomicInteger();
		SandboxHealthIndicator indicator = new SandboxHealthIndicator((request) -> {
			starts.incrementAndGet();
			throw new IllegalStateException("Timeout on blocking read");
		}, null, true, (capabilities) -> List.of(), () -> null, Map::of, () -> this.directory, () -> 0);
		assertThat(indicator.health(true).getDetails()).hasEntrySatisfying("problem",
				(problem) -> assertThat(problem.toString()).endsWith("Timeout on blocking read"));
		assertThat(indicator.health(true).getStatus()).isEqualTo(Status.DOWN);
		assertThat(starts).hasValue(1);
	}

	@Test
	void workspaceIsDownWithoutStateDirectory() throws IOException {
		Path state = this.directory.resolve("state");
		Path root = Files.createDirectory(this.directory.resolve("root"));
		this.contextRunner
			.withPropertyValues("kairo.state-dir=" + state, "kairo.workspace.roots=" + root, "kairo.sandbox.type=none")
			.run((context) -> {
				HealthIndicator indicator = context.getBean("kairoWorkspaceHealthIndicator", HealthIndicator.class);
				assertThat(indicator.health(true).getStatus()).isEqualTo(Status.UP);
				Files.createFile(state);
				Health health = indicator.health(true);
				assertThat(health.getStatus()).isEqualTo(Status.DOWN);
				assertThat(health.getDetails().get("problem").toString()).contains("kairo.state-dir");
			});
	}

	@Test
	void indicatorsAreDisabledByProperty() {
		this.contextRunner
			.withPropertyValues("management.health.kairo-sandbox.enabled=false",
					"management.health.kairoWorkspace.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
	}

	@Test
	void sandboxIndicatorBacksOffWithoutSandbox() {
		this.contextRunner.withPropertyValues("kairo.sandbox.type=none")
			.run((context) -> assertThat(context).doesNotHaveBean("kairoSandboxHealthIndicator")
				.hasBean("kairoWorkspaceHealthIndicator"));
	}

	@Test
	void healthBacksOffWithoutActuator() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("kairoSandboxHealthIndicator"));
	}

	private static Health health(ApplicationContext context, String bean) {
		return context.getBean(bean, HealthIndicator.class).health(true);
	}

	private static final class OwnProvider implements WorkspaceProvider {

		@Override
		public Workspace acquire(WorkspaceRequest request) {
			return Workspace.cwd();
		}

		@Override
		public void release(String workspaceId) {
		}

	}

}
