package io.kairo.autoconfigure.environment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.autoconfigure.AutoConfigureApplication;
import io.kairo.autoconfigure.KairoMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link InvalidPropertyFailureAnalyzer} with every property that is a number,
 * a duration or a size.
 */
@ExtendWith(OutputCaptureExtension.class)
class InvalidPropertyFailureAnalyzerTests {

	private static final Map<String, List<String>> BAD_VALUES = Map.of( //
			"java.lang.Integer", List.of("-1", "0", "many", "99999999999"), //
			"java.lang.Long", List.of("-1", "0", "many", "99999999999999999999"), //
			"java.lang.Double", List.of("-1", "0", "many", "1e300", "NaN"), //
			"java.time.Duration", List.of("-1s", "0s", "soon", "200000d"), //
			"org.springframework.util.unit.DataSize", List.of("-1B", "0B", "much", "99999999TB"));

	private static final Set<String> ZERO = Set.of("kairo.audit.file.max-files", "kairo.audit.file.min-age",
			"kairo.health.min-free-space", "kairo.mcp.resources.subscriptions-per-session",
			"kairo.mcp.resources.subscriptions-per-tenant", "kairo.metrics.max-tenants",
			"kairo.sandbox.bubblewrap.max-idle", "kairo.sandbox.docker.max-idle", "kairo.sandbox.landlock.max-idle",
			"kairo.sandbox.microvm.started-ahead", "kairo.sandbox.server.port", "kairo.sandbox.tail-bytes",
			"kairo.tenancy.limits.*.execution-wait-timeout", "kairo.workspace.ephemeral.max-seed-files",
			"kairo.workspace.ephemeral.max-seed-size", "kairo.workspace.git.depth", "kairo.workspace.git.fetch-after",
			"kairo.workspace.git.store-idle-timeout");

	/** The types of the properties with a prefix. */
	private static final Map<String, List<Class<?>>> TYPES = types();

	private static final StandardEnvironment ENVIRONMENT = new StandardEnvironment();

	/** One for all tests, since it reads the metadata of all jars. */
	private static final InvalidPropertyFailureAnalyzer ANALYZER = new InvalidPropertyFailureAnalyzer(ENVIRONMENT);

	private static Map<String, List<Class<?>>> types() {
		ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
		scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
		return scanner.findCandidateComponents("io.kairo")
			.stream()
			.<Class<?>>map((found) -> ClassUtils.resolveClassName(String.valueOf(found.getBeanClassName()), null))
			.collect(Collectors
				.groupingBy((type) -> AnnotationUtils.findAnnotation(type, ConfigurationProperties.class).value()));
	}

	static Stream<Arguments> badValueIsExplained() throws Exception {
		List<Arguments> values = new ArrayList<>();
		for (JsonNode property : KairoMetadata.read().get("properties")) {
			String name = property.get("name").asString().replace(".default.", ".*.");
			if (name.startsWith("kairo.")) {
				BAD_VALUES.getOrDefault(property.get("type").asString(), List.of())
					.stream()
					.filter((value) -> !(value.startsWith("0") && ZERO.contains(name)))
					.forEach((value) -> values.add(Arguments.of(name, value)));
			}
		}
		assertThat(values).hasSizeGreaterThan(300);
		return values.stream();
	}

	@ParameterizedTest
	@MethodSource
	void badValueIsExplained(String pattern, String value) {
		String name = pattern.replace("*", "acme");
		FailureAnalysis analysis = analyze(new MapPropertySource("the file", Map.of(name, value)));
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription())
			.startsWith("Invalid value '" + value + "' for configuration property '" + name + "' (originating from '")
			.contains("the file")
			.matches("(?s).*must (not )?be .*(\\d|zero|such as).*")
			.doesNotContain("java.", "Exception", "*");
		assertThat(analysis.getAction()).contains("Set " + name + " to ", "or remove it");
	}

	@Test
	void zeroIsAcceptedWhereItHasAMeaning() {
		for (String name : ZERO) {
			assertThat(analyze(new MapPropertySource("the file", Map.of(name.replace("*", "acme"), "0")))).as(name)
				.isNull();
		}
	}

	@ParameterizedTest
	@CsvSource({ "kairo.sandbox.server.port, 65536, 65535", "kairo.sandbox.server.lease, 2h, 1h",
			"kairo.sandbox.docker.lease, 1s, 3s", "kairo.workspace.s3.concurrency, 101, 100",
			"kairo.workspace.s3.max-object-size, 6GB, 5GB", "kairo.workspace.git.max-diff-size, 2GB, 2GB",
			"kairo.tools.write.max-size, 2GB, 2GB", "kairo.mcp.resources.max-size, 101MB, 100MB",
			"kairo.budgets.retention, 40000d, 36500d", "kairo.audit.timeout, 999ms, 1s",
			"kairo.audit.timeout, 30000d, 365d", "kairo.sandbox.microvm.cpus, 65, 64",
			"kairo.sandbox.limits.memory, 1KB, 1MB", "kairo.sandbox.tenants.acme.limits.pids, 7, 8",
			"kairo.tools.grep.max-characters, 999, 1000" })
	void boundIsNamed(String name, String value, String bound) {
		FailureAnalysis analysis = analyze(new MapPropertySource("the file", Map.of(name, value)));
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription()).contains("'" + value + "'", "'" + name + "'", bound);
	}

	@Test
	void keyOfAMapIsWrittenAsInTheConfiguration() {
		String name = "kairo.tenancy.limits[Acme.org/x].workspaces";
		assertThat(analyze(new MapPropertySource("the file", Map.of(name, "0"))).getDescription())
			.contains("'" + name + "' (originating from");
	}

	@Test
	void firstElementIsTheOriginOfAList() {
		Map<String, Object> lastFirst = new LinkedHashMap<>();
		lastFirst.put("kairo.workspace.roots[1]", "/srv");
		lastFirst.put("kairo.workspace.roots[0]", " ");
		assertThat(analyze(new MapPropertySource("the file", lastFirst)).getDescription()).contains("'[ , /srv]'",
				"'kairo.workspace.roots' (originating from", "roots[0]");
	}

	@Test
	void environmentVariableIsNamedAsTheOrigin() {
		assertThat(analyze(
				new SystemEnvironmentPropertySource("systemEnvironment", Map.of("KAIRO_TOOLS_SESSIONTIMEOUT", "-5s")))
			.getDescription()).contains("'-5s'", "kairo.tools.session-timeout", "KAIRO_TOOLS_SESSIONTIMEOUT");
	}

	@Test
	void defaultThatIsTooSmallForAnotherPropertyIsNotCalledConfigured() {
		FailureAnalysis analysis = analyze(new MapPropertySource("the file", Map.of("kairo.sandbox.timeout", "1h")));
		assertThat(analysis.getDescription()).contains("'kairo.sandbox.max-timeout' (which is not set)",
				"kairo.sandbox.timeout");
		assertThat(analysis.getAction()).contains("Set kairo.sandbox.max-timeout to a duration")
			.doesNotContain("remove");
	}

	@Test
	void applicationReportsTheAnalysis(CapturedOutput output) {
		run("--kairo.tools.session-timeout=-5s");
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Invalid value '-5s' for configuration property 'kairo.tools.session-timeout' (originating from "
						+ "'\"kairo.tools.session-timeout\" from property source \"commandLineArgs\"')",
				"it must be above zero", "its default is 1h.");
	}

	@Test
	void shortKeyIsNotShown(CapturedOutput output) {
		run("--kairo.audit.sinks=log", "--kairo.audit.key=hunter2");
		assertThat(output).contains("'******'", "'kairo.audit.key'", "commandLineArgs", "at least 16 bytes")
			.doesNotContain("hunter2");
	}

	private static void run(String... arguments) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run(arguments));
	}

	private static FailureAnalysis analyze(MapPropertySource source) {
		ENVIRONMENT.getPropertySources().addFirst(source);
		ConfigurationPropertySources.attach(ENVIRONMENT);
		try {
			Throwable failure = catchThrowable(() -> TYPES.forEach((prefix, types) -> {
				if (ConfigurationPropertySource.from(source)
					.containsDescendantOf(ConfigurationPropertyName.of(prefix)) == ConfigurationPropertyState.PRESENT) {
					types.forEach((type) -> Binder.get(ENVIRONMENT).bindOrCreate(prefix, Bindable.of(type)));
				}
			}));
			return (failure != null) ? ANALYZER.analyze(failure) : null;
		}
		finally {
			ENVIRONMENT.getPropertySources().remove(source.getName());
		}
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class Application {

	}

}
