package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.SandboxDriver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxDriver} beans that Kairo does not know.
 */
class SandboxDriverTests {

	private final Fake fake = new Fake();

	@TempDir
	Path directory;

	private ApplicationContextRunner runner;

	@BeforeEach
	void configure() {
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.state-dir=" + this.directory)
			.withBean(Fake.class, () -> this.fake);
	}

	@Test
	void typeOfDriverCanBeConfigured() {
		this.runner
			.withPropertyValues("kairo.sandbox.type=FAKE", "kairo.sandbox.process-limits.cpu-time=7s",
					"kairo.sandbox.inherit-env=LANG")
			.run((context) -> {
				assertThat(context.getBean(ExecutionSandbox.class).capabilities().backend()).isEqualTo("fake");
				assertThat(context.getBean(SandboxChoice.class).type()).isEqualTo("fake");
				CommandSettings settings = this.fake.created.get(0);
				assertThat(settings.limits().perProcess().cpuTime()).isEqualTo(Duration.ofSeconds(7));
				assertThat(settings.inheritEnv()).containsExactly("LANG");
				assertThat(settings.hiddenPaths()).containsExactly(this.directory);
			});
		assertThat(this.fake.closed).isPositive();
	}

	@Test
	void typeOfDriverJoinsTheOrder() {
		this.runner.withPropertyValues("kairo.sandbox.auto-order=fake,process").run((context) -> {
			assertThat(context.getBean(SandboxChoice.class).type()).isEqualTo("fake");
			assertThat(this.fake.created).hasSize(1);
		});
		this.fake.problem = new BackendProblem("Fake", "broken", "it is broken", "mend it");
		this.runner.withPropertyValues("kairo.sandbox.auto-order=fake,process")
			.run((context) -> assertThat(context.getBean(SandboxChoice.class))
				.isEqualTo(new SandboxChoice("process", "fake cannot be used: broken: it is broken; mend it")));
	}

	@Test
	void sandboxWithATemporaryProblemWaits() {
		this.fake.problem = new BackendProblem("Fake", "asleep", "it sleeps", "wake it", true);
		this.runner.withPropertyValues("kairo.sandbox.auto-order=fake")
			.run((context) -> assertThat(context.getBean(SandboxChoice.class).reason()).contains("may work later"));
		assertThat(this.fake.closed).isPositive();
	}

	@Test
	void tenantHasTheTypeOfTheDriver() {
		this.runner.withPropertyValues("kairo.sandbox.type=process", "kairo.sandbox.tenants.acme.type=fake")
			.run((context) -> {
				ExecutionSandbox sandbox = context.getBean(ExecutionSandbox.class);
				assertThat(sandbox.capabilities(new TenantContext("acme", "agent")).backend()).isEqualTo("fake");
				assertThat(sandbox.capabilities(new TenantContext("other", "agent")).backend()).isEqualTo("process");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "Fake", "fake-1", "auto", "none", "" })
	void typeThatCannotBeConfiguredFailsStartup(String type) {
		this.fake.type = type;
		this.runner.withPropertyValues("kairo.sandbox.type=process")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("Fake", "'" + type + "'", "lower-case letters and digits"));
	}

	@Test
	void missingPropertyOfTheDriverFailsStartup() {
		this.fake.missing = "fake.address; set it to an address";
		this.runner.withPropertyValues("kairo.sandbox.auto-order=process,fake")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.auto-order", "fake", "it needs fake.address; set it"));
		assertThat(this.fake.created).isEmpty();
	}

	@Test
	void unsupportedSettingIsTheReasonForTheNextType() {
		this.runner
			.withPropertyValues("kairo.sandbox.auto-order=fake,process", "kairo.sandbox.process-limits.open-files=64")
			.run((context) -> assertThat(context.getBean(SandboxChoice.class).reason())
				.isEqualTo("fake cannot be used: unsupported: it limits no files; use another"));
		assertThat(this.fake.created).isEmpty();
	}

	/**
	 * A driver whose sandboxes refuse every command.
	 */
	private static final class Fake implements SandboxDriver {

		private final List<CommandSettings> created = new ArrayList<>();

		private String type = "fake";

		private @Nullable BackendProblem problem;

		private @Nullable String missing;

		private int closed;

		@Override
		public String type() {
			return this.type;
		}

		@Override
		public @Nullable String missing() {
			return this.missing;
		}

		@Override
		public @Nullable BackendProblem unsupported(CommandSettings settings) {
			return (settings.limits().perProcess().openFiles() != null)
					? new BackendProblem("Fake", "unsupported", "it limits no files", "use another") : null;
		}

		@Override
		public BackendSandbox create(CommandSettings settings) {
			this.created.add(settings);
			return new BackendSandbox() {

				@Override
				public @Nullable BackendProblem problem() {
					return Fake.this.problem;
				}

				@Override
				protected SandboxHandle run(SandboxRequest request) {
					throw new UnsupportedOperationException();
				}

				@Override
				public SandboxCapabilities capabilities() {
					return SandboxCapabilities.none("fake");
				}

				@Override
				public void close() {
					Fake.this.closed++;
				}

			};
		}

	}

}
