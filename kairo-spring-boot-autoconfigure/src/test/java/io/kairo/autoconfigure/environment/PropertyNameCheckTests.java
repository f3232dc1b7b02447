package io.kairo.autoconfigure.environment;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.kairo.autoconfigure.KairoMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.FilteredClassLoader.ClassPathResourceFilter;
import org.springframework.boot.test.context.FilteredClassLoader.PackageFilter;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.ConfigTreePropertySource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PropertyNameCheck}.
 */
@ExtendWith(OutputCaptureExtension.class)
class PropertyNameCheckTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KairoEnvironmentAutoConfiguration.class));

	@ParameterizedTest
	@CsvSource({ "kairo.workspce.roots, kairo.workspace.roots", "kairo.workspce.roots[0], kairo.workspace.roots",
			"kairo.enable, kairo.enabled", "kairo.sandbox.limit.memory, kairo.sandbox.limits.memory",
			"kairo.tenancy.limits.acme.concurrent-cals, kairo.tenancy.limits.*.concurrent-calls",
			"kairo.workspace.git.credentials[0].user, kairo.workspace.git.credentials[0].url",
			"kairo.sandbox.tenants.acme.typ, kairo.sandbox.tenants.*.type" })
	void misspelledPropertyFailsStartupWithSuggestion(String name, String meant) {
		this.contextRunner.withPropertyValues(name + "=x")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll(name + " (", "did you mean " + meant + "?"));
		this.contextRunner.withPropertyValues(name + "=x", "kairo.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void propertyWithoutSimilarOneFailsStartup() {
		this.contextRunner.withPropertyValues("kairo.colour=red", "kairo.workspace.roots.x=/srv").run((context) -> {
			UnknownPropertyException failure = (UnknownPropertyException) context.getStartupFailure();
			FailureAnalysis analysis = new UnknownPropertyFailureAnalyzer().analyze(failure);
			assertThat(analysis.getDescription().lines()).hasSize(4)
				.anyMatch((line) -> line.startsWith("    kairo.colour (") && line.endsWith("there is no such property"))
				.anyMatch((line) -> line.startsWith("    kairo.workspace.roots.x ("));
			assertThat(analysis.getDescription()).doesNotContain("red", "/srv");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "KAIRO_SANDBOX_REQUIRE_ISOLATON", "KAIRO_SANDBOX_REQUIREISOLATON", "KAIRO_SANDBX_TYPE",
			"kairo_workspace_rots", "KAIRO_ENABLE", "KAIRO_WORKSPACE_ROOT_0" })
	void misspelledEnvironmentVariableFailsStartup(String name) {
		withVariables(Map.of(name, "true")).run((context) -> assertThat(context).getFailure()
			.hasMessageContainingAll("did you mean kairo.", " (KAIRO_"));
	}

	@Test
	void misspelledSystemPropertyFailsStartup() {
		this.contextRunner.withSystemProperties("kairo.sandbox.require-isolaton=true")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("did you mean kairo.sandbox.require-isolation?"));
	}

	@Test
	void misspelledFileOfConfigurationTreeFailsStartup(@TempDir Path directory) throws IOException {
		Files.writeString(directory.resolve("kairo.tols.naming"), "claude");
		with(this.contextRunner, new ConfigTreePropertySource("tree", directory)).run(
				(context) -> assertThat(context).getFailure().hasMessageContaining("did you mean kairo.tools.naming?"));
	}

	@Test
	void variablesOfOtherProgramsAreIgnored(CapturedOutput output) {
		withVariables(Map.of("KAIRO_REQUIRE", "git", "KAIRO_SERVICE_HOST", "10.0.0.1", "KAIRO_PORT_8080_TCP", "tcp",
				"KAIRO_HOME", "/opt", "KAIRO_", "x", "KAIRO", "x", "KAIROS_ROOTS", "x"))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("KAIRO");
		withVariables(Map.of("KAIRO_MCP_PORT_8080_TCP", "tcp")).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("KAIRO_MCP_PORT_8080_TCP (").contains("is not a property of Kairo");
	}

	@Test
	void everyPropertyIsAcceptedInEverySpelling() throws IOException {
		List<String> names = new ArrayList<>(List.of("kairo.workspace.roots[0]", "kairo.workspace.pathPolicy",
				"kairo.tenancy.limits.acme.concurrent-calls", "kairo.tenancy.limits.[ann@example.com].workspaces",
				"kairo.workspace.git.credentials[0].url", "kairo.sandbox.tenants.acme.type"));
		Map<String, Object> variables = new HashMap<>(Map.of("KAIRO_WORKSPACE_ROOTS_0", "x",
				"KAIRO_TENANCY_LIMITS_ACME_CONCURRENT_CALLS", "1", "KAIRO_TENANCY_LIMITS_ACME_CONCURRENTCALLS", "1",
				"KAIRO_WORKSPACE_GIT_CREDENTIALS_0_URL", "x", "kairo.workspace.roots", "x"));
		for (JsonNode property : KairoMetadata.read().get("properties")) {
			String name = property.get("name").asString();
			if (name.startsWith("kairo.")) {
				names.add(name);
				String variable = name.toUpperCase(Locale.ROOT).replace('.', '_');
				variables.put(variable.replace("-", ""), "true");
				variables.put(variable.replace('-', '_'), "true");
			}
		}
		withVariables(variables).withPropertyValues("kairo.mcp=")
			.withPropertyValues(names.stream().map((name) -> name + "=true").toArray(String[]::new))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(PropertyNameCheck.class));
	}

	@ParameterizedTest
	@CsvSource({ "kairo.workspace.git.depth, io.kairo.workspace.git, io.kairo:kairo-workspace-git",
			"kairo.sandbox.microvm.kernel, io.kairo.sandbox.microvm, io.kairo:kairo-sandbox-microvm",
			"kairo.sandbox.docker.image, io.kairo.sandbox.docker, io.kairo:kairo-sandbox-docker",
			"kairo.jdbc.initialize-schema, io.kairo.governance.jdbc, io.kairo:kairo-agent-governance-jdbc",
			"kairo.audit.jdbc.chain, io.kairo.governance.jdbc, io.kairo:kairo-agent-governance-jdbc",
			"kairo.mcp.expose, io.kairo.mcp, io.kairo:kairo-mcp",
			"kairo.spring-ai.enabled, org.springframework.ai, spring-ai-model",
			"kairo.metrics.max-tenants, io.micrometer, spring-boot-starter-actuator" })
	void propertyOfAbsentModuleFailsStartupAndNamesArtifact(String name, String absent, String artifact) {
		ApplicationContextRunner without = this.contextRunner.withClassLoader(new FilteredClassLoader(absent));
		without.withPropertyValues(name + "=true")
			.run((context) -> assertThat(context).getFailure().hasMessageContainingAll(name, "no effect", artifact));
		without.withPropertyValues("kairo.spring-ai.enabled=false", "kairo.workspace.git.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void metadataOfAbsentModuleAreNotNeeded(CapturedOutput output) {
		ApplicationContextRunner without = this.contextRunner
			.withClassLoader(new FilteredClassLoader(PackageFilter.of("io.kairo.sandbox.docker"),
					ClassPathResourceFilter.of(new ClassPathResource("META-INF/spring-configuration-metadata.json"))));
		without.withPropertyValues("kairo.sandbox.docker.image=x")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("kairo.sandbox.docker.image", "no effect", "io.kairo:kairo-sandbox-docker"));
		with(without, Map.of("KAIRO_SANDBOX_DOCKER_PORT_8080_TCP", "tcp"))
			.withPropertyValues("kairo.sandbox.docker=", "kairo.sandbox.docker.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("KAIRO_SANDBOX_DOCKER_PORT_8080_TCP (", "no effect without the dependency");
	}

	@Test
	void propertyOfExtensionIsAcceptedIfItsMetadataDescribeIt(@TempDir Path directory) throws Exception {
		Files.createDirectories(directory.resolve("META-INF"));
		Files.writeString(directory.resolve("META-INF/spring-configuration-metadata.json"), """
				{"properties": [{"name": "kairo.remote.url", "type": "java.lang.String"},
				  {"name": "kairo.remote.labels", "type": "java.util.Map<java.lang.String,java.lang.String>"},
				  {"name": "kairo.remote.hosts", "type": "java.util.List<com.example.Unknown>"}]}""");
		try (URLClassLoader extended = new URLClassLoader(new URL[] { directory.toUri().toURL() },
				getClass().getClassLoader())) {
			ApplicationContextRunner runner = this.contextRunner.withClassLoader(extended);
			runner.withPropertyValues("kairo.remote.url=x", "kairo.remote.labels.a.b=x", "kairo.remote.hosts[0].name=x")
				.run((context) -> assertThat(context).hasNotFailed());
			runner.withPropertyValues("kairo.remote.uri=x")
				.run((context) -> assertThat(context).getFailure()
					.hasMessageContaining("did you mean kairo.remote.url?"));
		}
	}

	private ApplicationContextRunner withVariables(Map<String, Object> variables) {
		return with(this.contextRunner, variables);
	}

	private static ApplicationContextRunner with(ApplicationContextRunner runner, Map<String, Object> variables) {
		return with(runner, new SystemEnvironmentPropertySource(
				StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
	}

	private static ApplicationContextRunner with(ApplicationContextRunner runner, PropertySource<?> source) {
		return runner.withInitializer((context) -> context.getEnvironment().getPropertySources().addFirst(source));
	}

}
