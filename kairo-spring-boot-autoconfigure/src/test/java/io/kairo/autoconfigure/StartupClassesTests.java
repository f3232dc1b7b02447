package io.kairo.autoconfigure;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the start of an application neither loads classes that only the first call
 * needs nor needs classes of optional dependencies. The application runs in a class
 * loader of its own.
 */
class StartupClassesTests {

	/**
	 * Proxies, schemas, searches, guesses of charsets, diffs, commands and containers.
	 */
	private static final List<String> OF_CALLS = List.of("org.springframework.cglib.",
			"org.springframework.aop.framework.ProxyFactory", "com.github.victools.jsonschema.generator.Schema",
			"tools.jackson.databind.ObjectMapper", "com.google.re2j.", "org.mozilla.universalchardet.",
			"com.github.difflib.", "org.eclipse.jgit.", "reactor.core.", "io.kairo.sandbox.support.LocalProcess",
			"io.kairo.sandbox.docker.", "io.kairo.sandbox.microvm.", "com.github.dockerjava.",
			"software.amazon.awssdk.");

	// Spring MVC, which this application does not have, loads Reactor itself
	@Test
	void startLoadsNoClassesOfCalls(@TempDir Path directory) throws Exception {
		Set<String> loaded = loadedBy(directory, "none", "kairo.enabled=true");
		assertThat(loaded).contains("io.kairo.tools.ToolCatalog", "io.kairo.sandbox.process.LocalProcessSandbox")
			.filteredOn((name) -> OF_CALLS.stream().anyMatch(name::startsWith))
			.isEmpty();
		assertThat(loaded).filteredOn((name) -> name.startsWith("io.kairo.")).hasSizeLessThan(515);
	}

	@ParameterizedTest
	@ValueSource(strings = { "agent-(governance|tools)", "agent-governance-jdbc", "sandbox-(docker|microvm|remote)",
			"workspace-(git|s3)", "langchain4j", "spring-jdbc", "spring-security", "spring-web(mvc|flux)",
			"spring-(boot-)?web.*", "tomcat|jakarta\\.servlet" })
	void startNeedsNoOptionalDependency(String absent, @TempDir Path directory) throws Exception {
		assertThat(RecordingClassLoader.classPath()).anyMatch((path) -> RecordingClassLoader.isNamed(path, absent));
		String nameThatIsNotInMetadata = "kairo.tenancy.limits.acme.concurrent-calls=4";
		assertThat(loadedBy(directory, absent, nameThatIsNotInMetadata))
			.contains("io.kairo.sandbox.process.LocalProcessSandbox");
	}

	@ParameterizedTest
	@ValueSource(strings = { "agent-governance", "sandbox-docker", "sandbox-microvm", "sandbox-remote", "workspace-git",
			"workspace-s3" })
	@EnabledIfSystemProperty(named = "kairo.stress", matches = "long", disabledReason = "requires -Dkairo.stress=long")
	void startNeedsNoSingleModule(String absent, @TempDir Path directory) throws Exception {
		startNeedsNoOptionalDependency(absent, directory);
	}

	private static Set<String> loadedBy(Path directory, String absent, String property)
			throws IOException, ReflectiveOperationException {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		try (RecordingClassLoader loader = new RecordingClassLoader(absent)) {
			thread.setContextClassLoader(loader);
			loader.loadClass(Application.class.getName())
				.getMethod("start", Path.class, String.class)
				.invoke(null, directory, property);
			return loader.loaded;
		}
		catch (InvocationTargetException ex) {
			throw new IllegalStateException(ex.getCause());
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	/**
	 * An application with all auto-configurations of Kairo, by their names, as in any
	 * application.
	 */
	@Configuration(proxyBeanMethods = false)
	@Import(KairoAutoConfigurations.class)
	public static class Application {

		/**
		 * Starts and stops the application.
		 */
		public static void start(Path directory, String property) throws IOException {
			new ApplicationContextRunner().withUserConfiguration(Application.class)
				// unknown names below kairo, as those of the build, would be looked up in
				// the metadata
				.withInitializer((context) -> {
					context.getEnvironment().getPropertySources().remove("systemProperties");
					context.getEnvironment().getPropertySources().remove("systemEnvironment");
				})
				.withBean(SimpleMeterRegistry.class)
				.withBean(ObservationRegistry.class, ObservationRegistry::create)
				.withPropertyValues("kairo.workspace.roots=" + Files.createDirectory(directory.resolve("root")),
						"kairo.state-dir=" + directory.resolve("state"), "kairo.sandbox.type=process",
						"kairo.workspace.git.enabled=false", property)
				.run((context) -> assertThat(context).hasNotFailed());
		}

	}

	/**
	 * Imports the auto-configurations of Kairo without those of other frameworks.
	 */
	static final class KairoAutoConfigurations extends AutoConfigurationImportSelector {

		@Override
		protected AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
			return new AnnotationAttributes(Map.of("exclude", new String[0], "excludeName", new String[0]));
		}

		@Override
		protected List<String> getCandidateConfigurations(AnnotationMetadata metadata,
				@Nullable AnnotationAttributes attributes) {
			return super.getCandidateConfigurations(metadata, attributes).stream()
				.filter((name) -> name.startsWith("io.kairo.") && !name.matches(".*\\.(mcp|springai)\\..*"))
				.collect(Collectors.toList());
		}

	}

	/**
	 * A class loader of the class path that records the loaded classes. It has no
	 * dependency with a name that begins with a pattern, whether it is a module of this
	 * build or a jar.
	 */
	private static final class RecordingClassLoader extends URLClassLoader {

		private final Set<String> loaded = new ConcurrentSkipListSet<>();

		RecordingClassLoader(String absent) {
			super(classPath().filter((path) -> !isNamed(path, absent))
				.map(RecordingClassLoader::url)
				.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
		}

		private static Stream<String> classPath() {
			return Arrays.stream(System.getProperty("java.class.path").split(System.getProperty("path.separator")));
		}

		private static boolean isNamed(String path, String pattern) {
			return path.replace("/sandboxes/", "/sandbox-")
				.replace("/workspaces/", "/workspace-")
				.matches(".*/(kairo-)?(" + pattern + ")[^/]*(/target/classes/?)?");
		}

		private static URL url(String path) {
			try {
				return Path.of(path).toUri().toURL();
			}
			catch (MalformedURLException ex) {
				throw new IllegalArgumentException(ex);
			}
		}

		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			Class<?> found = super.findClass(name);
			this.loaded.add(name);
			return found;
		}

	}

}
