package io.kairo.autoconfigure;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.kairo.autoconfigure.audit.KairoAuditAutoConfiguration;
import io.kairo.autoconfigure.ledger.KairoBudgetsAutoConfiguration;
import io.kairo.autoconfigure.policy.KairoPolicyAutoConfiguration;
import io.kairo.mcp.KairoMcpAutoConfiguration;
import io.kairo.sandbox.docker.autoconfigure.KairoDockerSandboxAutoConfiguration;
import io.kairo.sandbox.microvm.autoconfigure.KairoMicroVmSandboxAutoConfiguration;
import io.kairo.sandbox.remote.autoconfigure.KairoRemoteSandboxAutoConfiguration;
import io.kairo.sandbox.remote.autoconfigure.KairoSandboxServerAutoConfiguration;
import io.kairo.workspace.s3.autoconfigure.KairoS3WorkspaceAutoConfiguration;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code kairo.enabled} applies to every auto-configuration.
 */
class EnabledPropertyTests {

	private static final List<String> NAMES = ImportCandidates
		.load(AutoConfiguration.class, EnabledPropertyTests.class.getClassLoader())
		.getCandidates()
		.stream()
		.filter((name) -> name.startsWith("io.kairo."))
		.toList();

	/**
	 * Sandboxes by their type, servers for other applications and MCP clients, an object
	 * store, an audit, a policy, and budgets.
	 */
	private static final Set<String> NEED_SETTINGS = Set.of(KairoDockerSandboxAutoConfiguration.class.getName(),
			KairoMicroVmSandboxAutoConfiguration.class.getName(), KairoRemoteSandboxAutoConfiguration.class.getName(),
			KairoSandboxServerAutoConfiguration.class.getName(), KairoS3WorkspaceAutoConfiguration.class.getName(),
			KairoAuditAutoConfiguration.class.getName(), KairoPolicyAutoConfiguration.class.getName(),
			KairoBudgetsAutoConfiguration.class.getName(), KairoMcpAutoConfiguration.class.getName());

	@TempDir
	private Path directory;

	private ApplicationContextRunner contextRunner() {
		return new ApplicationContextRunner().withBean(SimpleMeterRegistry.class)
			.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.withConfiguration(
					AutoConfigurations.of(NAMES.stream().map(EnabledPropertyTests::type).toArray(Class[]::new)))
			.withPropertyValues("kairo.workspace.roots=" + this.directory,
					"kairo.state-dir=" + this.directory.resolveSibling(this.directory.getFileName() + ".state"),
					"kairo.sandbox.type=none");
	}

	private static Class<?> type(String name) {
		try {
			return Class.forName(name);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void everyAutoConfigurationAppliesByDefaultUnlessItNeedsSettings() {
		assertThat(NAMES).isNotEmpty();
		contextRunner().run((context) -> assertThat(NAMES).filteredOn((name) -> !NEED_SETTINGS.contains(name))
			.allSatisfy((name) -> assertThat(context.getBeanNamesForType(type(name))).as(name).isNotEmpty()));
	}

	@Test
	void noAutoConfigurationAppliesWhenDisabled() {
		contextRunner().withPropertyValues("kairo.enabled=false")
			.run((context) -> assertThat(typesOfKairo(context)).isEmpty());
	}

	private static List<String> typesOfKairo(ApplicationContext context) {
		return Arrays.stream(context.getBeanDefinitionNames())
			.map(context::getType)
			.filter(Objects::nonNull)
			.map(Class::getName)
			.filter((name) -> name.startsWith("io.kairo."))
			.toList();
	}

}
