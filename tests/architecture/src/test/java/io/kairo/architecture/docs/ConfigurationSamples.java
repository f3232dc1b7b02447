package io.kairo.architecture.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.kairo.api.sandbox.SandboxException;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks configuration samples: each key is in the configuration metadata, and an
 * application context with all of Kairo starts with the sample. Directories below
 * {@code /srv} are created below a temporary directory. A sample is also valid if only a
 * missing sandbox, or a limit that cannot be enforced on this machine, prevents the
 * start.
 */
final class ConfigurationSamples implements SampleChecker {

	private static final String EXAMPLE_DIRECTORY = "/srv/";

	private final Path directory;

	private final Map<String, String> types = metadata();

	/**
	 * Creates the checker.
	 * @param directory an empty directory that replaces the root of the file system
	 */
	ConfigurationSamples(Path directory) {
		this.directory = directory;
	}

	@Override
	public Set<String> languages() {
		return Set.of("yaml", "properties");
	}

	@Override
	public List<String> check(Sample sample) {
		Map<String, String> properties;
		try {
			properties = properties(sample);
		}
		catch (IOException | RuntimeException ex) {
			return List.of("cannot be read: " + ex.getMessage());
		}
		if (properties.isEmpty()) {
			return List.of("sets no property");
		}
		List<String> unknown = properties.keySet()
			.stream()
			.filter((name) -> !isKnown(name))
			.map((name) -> "there is no property " + name)
			.toList();
		return unknown.isEmpty() ? start(properties) : unknown;
	}

	/**
	 * Returns the properties of a sample by name.
	 */
	static Map<String, String> properties(Sample sample) throws IOException {
		PropertySourceLoader loader = sample.language().equals("yaml") ? new YamlPropertySourceLoader()
				: new PropertiesPropertySourceLoader();
		Map<String, String> properties = new TreeMap<>();
		ByteArrayResource resource = new ByteArrayResource(sample.text().getBytes(StandardCharsets.UTF_8));
		for (PropertySource<?> source : loader.load("sample", resource)) {
			for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
				properties.put(name, String.valueOf(source.getProperty(name)));
			}
		}
		return properties;
	}

	/**
	 * Returns whether a property or a group of properties has the name.
	 */
	boolean isPrefix(String name) {
		return isKnown(name) || this.types.keySet().stream().anyMatch((known) -> known.startsWith(name + "."));
	}

	private boolean isKnown(String name) {
		String plain = name.replaceAll("\\[\\d+]", "");
		return this.types.keySet()
			.stream()
			.anyMatch((known) -> known.equals(plain) || plain.startsWith(known + "[")
					|| (plain.startsWith(known + ".") && this.types.get(known).matches("java.util.(Map|List)<.*")));
	}

	private List<String> start(Map<String, String> properties) {
		List<String> failures = new ArrayList<>();
		runner(properties).run((context) -> {
			Throwable failure = context.getStartupFailure();
			if (failure != null && !isLimitationOfThisMachine(failure)) {
				failures.add("the application does not start: " + rootCause(failure));
			}
		});
		return failures;
	}

	/**
	 * Returns a runner for an application with all of Kairo and the properties of a
	 * sample.
	 */
	ApplicationContextRunner runner(Map<String, String> properties) {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(kairo()))
			.withInitializer(
					(context) -> context.getEnvironment().setConversionService(new ApplicationConversionService()))
			.withPropertyValues("kairo.sandbox.type=none", "kairo.state-dir=" + this.directory.resolve("state"),
					"TEAM_GIT_TOKEN=secret", "AUDIT_KEY=0123456789abcdef", "ACME_FORGE_TOKEN=secret",
					"STATUS_TOKEN=secret", "AGENTS_SECRET_KEY=secret", "AGENTS_TOKEN=the token of the agents")
			.withPropertyValues(properties.entrySet()
				.stream()
				.map((entry) -> entry.getKey() + "=" + relocate(entry.getValue()))
				.toArray(String[]::new));
	}

	private static Class<?>[] kairo() {
		List<Class<?>> classes = new ArrayList<>();
		for (String name : ImportCandidates.load(AutoConfiguration.class, null)) {
			if (name.startsWith("io.kairo.")) {
				try {
					classes.add(Class.forName(name));
				}
				catch (ClassNotFoundException ex) {
					throw new IllegalStateException(ex);
				}
			}
		}
		return classes.toArray(Class<?>[]::new);
	}

	private String relocate(String value) {
		if (!value.startsWith(EXAMPLE_DIRECTORY)) {
			return value;
		}
		try {
			for (String one : value.split(",\\s*")) {
				Files.createDirectories(Path.of(this.directory + one.replaceFirst("/\\{tenant}.*", "")));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return value.replace(EXAMPLE_DIRECTORY, this.directory + EXAMPLE_DIRECTORY);
	}

	private static boolean isLimitationOfThisMachine(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SandboxException
					|| (cause instanceof InvalidConfigurationPropertyValueException invalid && invalid.getName()
						.matches("kairo\\.sandbox\\.(limits\\..*|network|require-isolation)"))) {
				return true;
			}
		}
		return false;
	}

	private static Throwable rootCause(Throwable failure) {
		return (failure.getCause() != null) ? rootCause(failure.getCause()) : failure;
	}

	private static Map<String, String> metadata() {
		Map<String, String> types = new TreeMap<>();
		try {
			for (URL url : Collections.list(ConfigurationSamples.class.getClassLoader()
				.getResources("META-INF/spring-configuration-metadata.json"))) {
				try (InputStream in = url.openStream()) {
					for (JsonNode property : JsonMapper.builder().build().readTree(in).get("properties")) {
						types.put(property.get("name").asString(), property.path("type").asString(""));
					}
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return types;
	}

}
