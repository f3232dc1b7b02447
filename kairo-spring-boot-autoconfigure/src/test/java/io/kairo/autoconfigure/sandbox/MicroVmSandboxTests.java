package io.kairo.autoconfigure.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.autoconfigure.health.KairoHealthAutoConfiguration;
import io.kairo.autoconfigure.tools.FilesOfCommands;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.tools.RewoundCommands;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.SandboxCustomizer;
import io.kairo.sandbox.microvm.MachinePool;
import io.kairo.sandbox.microvm.MicroVmOptions;
import io.kairo.sandbox.microvm.MicroVmSandbox;
import io.kairo.sandbox.microvm.autoconfigure.KairoMicroVmSandboxAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the configuration of the sandbox of virtual machines.
 */
class MicroVmSandboxTests {

	@TempDir
	Path directory;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(KairoSandboxAutoConfiguration.class, KairoMicroVmSandboxAutoConfiguration.class));

	private final ApplicationContextRunner withImage = this.contextRunner
		.withPropertyValues("kairo.sandbox.microvm.kernel=/no/vmlinuz", "kairo.sandbox.microvm.initrd=/no/initrd");

	@ParameterizedTest
	@ValueSource(strings = { "type", "auto-order", "tenants.acme.type" })
	void absentModuleFailsStartupAndNamesArtifact(String property) {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox." + property + "=microvm")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox." + property, "'microvm'", "io.kairo:kairo-sandbox-microvm",
						"add it"));
	}

	@Test
	void missingKernelPropertyFailsStartup() {
		this.contextRunner.withPropertyValues("kairo.sandbox.type=microvm")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.type", "kairo.sandbox.microvm.kernel", "make-image.sh"));
	}

	@Test
	void machineThatCannotBeUsedFailsStartupWithAnAnalysis() {
		this.withImage.withPropertyValues("kairo.sandbox.type=microvm", "kairo.sandbox.microvm.qemu=/no/qemu")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(SandboxException.class, (ex) -> {
					FailureAnalysis analysis = Objects.requireNonNull(new SandboxFailureAnalyzer().analyze(ex, ex));
					assertThat(analysis.getDescription()).contains("qemu_missing", "/no/qemu");
					assertThat(analysis.getAction()).contains("qemu-system-x86");
				}));
	}

	@ParameterizedTest
	@CsvSource({ "microvm.memory, 64MB, at least 128MB", "microvm.cpus, 0, between 1 and 64",
			"microvm.max-machines, 0, at least 1", "microvm.max-memory, 511MB, the memory of one machine",
			"microvm.started-ahead, 9, between 0 and max-machines", "microvm.idle-timeout, 0s, above zero",
			"microvm.boot-timeout, -1s, above zero", "microvm.run-as, 0:0, root", "limits.cpus, 1.5, whole number" })
	void invalidValueFailsStartupAndNamesTheProperty(String property, String value, String reason) {
		this.withImage.withPropertyValues("kairo.sandbox.type=microvm", "kairo.sandbox." + property + "=" + value)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining(reason));
	}

	@Test
	void propertiesBecomeOptions() {
		MicroVmOptions[] seen = new MicroVmOptions[1];
		this.withImage
			.withPropertyValues("kairo.sandbox.auto-order=microvm", "kairo.sandbox.microvm.allow-emulation=true",
					"kairo.sandbox.microvm.memory=256MB", "kairo.sandbox.microvm.max-machines=3",
					"kairo.sandbox.microvm.max-memory=1GB", "kairo.sandbox.microvm.started-ahead=2",
					"kairo.sandbox.microvm.idle-timeout=7s", "kairo.sandbox.limits.cpus=4",
					"kairo.sandbox.limits.pids=99", "kairo.sandbox.limits.tmpfs-size=1MB")
			.withBean(Customizers.class, () -> new Customizers(seen))
			.run((context) -> {
				// the image is missing, and on many machines QEMU as well
				assertThat(context).getFailure().rootCause().hasMessageContaining("_missing");
				MicroVmOptions options = seen[0];
				assertThat(options.kernel()).isEqualTo(Path.of("/no/vmlinuz"));
				assertThat(options.emulation()).isEqualTo(MicroVmOptions.Emulation.ALLOWED);
				assertThat(options.memoryBytes()).isEqualTo(256L << 20);
				assertThat(options.pool()).isEqualTo(new MachinePool(3, 1L << 30, 2, Duration.ofSeconds(7)));
				assertThat(options.cpus()).isEqualTo(4);
				assertThat(options.commands().limits().pids()).isEqualTo(99);
				assertThat(options.commands().tmpfsBytes()).isEqualTo(1 << 20);
			});
	}

	@Test
	void applicationOfTheDocumentationRunsCommands() throws IOException {
		String image = System.getenv("KAIRO_MICROVM_IMAGE");
		boolean required = List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("microvm");
		assumeThat(image != null || required).as("KAIRO_MICROVM_IMAGE names an image").isTrue();
		boolean root = Objects.requireNonNull(HostUser.current()).uid() == 0;
		HostUser user = root ? new HostUser(65534, 65534) : null;
		Path workspace = this.directory.toRealPath().resolve("workspace");
		RewoundCommands commands = RewoundCommands.in(workspace, user);
		if (user != null) {
			user.own(this.directory);
		}
		this.contextRunner
			.withConfiguration(AutoConfigurations.of(KairoHealthAutoConfiguration.class,
					KairoToolsAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class))
			// the workspace is at /workspace, since it lies below /tmp
			.withPropertyValues("kairo.workspace.roots=" + workspace, "kairo.workspace.path-policy=relative-only",
					"kairo.state-dir=" + this.directory.resolve("state"))
			.withPropertyValues(sample(String.valueOf(image)))
			.withPropertyValues("kairo.sandbox.microvm.allow-emulation=true",
					"kairo.sandbox.microvm.run-as=" + (root ? "65534" : ""))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(SandboxChoice.class).type()).isEqualTo("microvm");
				commands.check(context);
				FilesOfCommands.check(context, "/tmp", "/dev/shm", "/var/tmp", "$HOME");
				ExecutionSandbox sandbox = context.getBean(ExecutionSandbox.class);
				assertThat(sandbox.capabilities().backend()).isEqualTo("microvm");
				try (SandboxHandle handle = sandbox
					.start(new SandboxRequest.Builder("echo made > file; exit 7", workspace).build())) {
					SandboxExit exit = Objects.requireNonNull(handle.exit().block());
					assertThat(exit.exitCode()).isEqualTo(7);
				}
				assertThat(workspace.resolve("file")).hasContent("made\n");
				assertHealthTellsWhetherMachinesAreEmulated(context, sandbox);
			});
	}

	private static void assertHealthTellsWhetherMachinesAreEmulated(ApplicationContext context,
			ExecutionSandbox sandbox) {
		assertThat(sandbox).isInstanceOf(MicroVmSandbox.class);
		boolean emulated = ((MicroVmSandbox) sandbox).isEmulated();
		HealthIndicator indicator = context.getBean("kairoSandboxHealthIndicator", HealthIndicator.class);
		// the command of the first checks may take longer than a check may
		await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
			Health health = Objects.requireNonNull(indicator.health(true));
			assertThat(health.getDetails()).hasEntrySatisfying("reason", (reason) -> assertThat(reason.toString())
				.endsWith(emulated ? "; machines are emulated, which is a weaker boundary" : "only"));
		});
	}

	/**
	 * Returns the properties of the sample in the documentation, with another image.
	 */
	private static String[] sample(String image) throws IOException {
		String page = Files.readString(Path.of("..", "docs", "sandboxes.md"));
		String section = page.substring(page.indexOf("## Running commands in virtual machines"));
		String yaml = section.substring(section.indexOf("```yaml\n") + 8);
		YamlPropertiesFactoryBean factory = new YamlPropertiesFactoryBean();
		factory.setResources(new ByteArrayResource(yaml.substring(0, yaml.indexOf("```"))
			.replace("/srv/microvm", image)
			.getBytes(StandardCharsets.UTF_8)));
		Properties properties = Objects.requireNonNull(factory.getObject());
		return properties.stringPropertyNames()
			.stream()
			.map((name) -> name + "=" + properties.getProperty(name))
			.toArray(String[]::new);
	}

	/**
	 * A customizer that keeps the options.
	 *
	 * @param seen receives the options
	 */
	@Configuration(proxyBeanMethods = false)
	record Customizers(MicroVmOptions[] seen) {

		@Bean
		SandboxCustomizer<MicroVmOptions.Builder> customizer() {
			return (options) -> this.seen[0] = options.build();
		}

	}

}
