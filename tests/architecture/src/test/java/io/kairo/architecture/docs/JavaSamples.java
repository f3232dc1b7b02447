package io.kairo.architecture.docs;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

import io.kairo.architecture.Repository;

/**
 * Compiles the Java samples of all pages at once against the class path of the tests, and
 * runs those with the directive {@code runs}. See {@code CONTRIBUTING.md} for the
 * conventions.
 */
final class JavaSamples implements SampleChecker, AutoCloseable {

	/** Imports of samples without a package, in addition to all packages of Kairo. */
	private static final List<String> IMPORTS = List.of("java.io.*", "java.nio.file.*", "java.time.*", "java.util.*",
			"com.fasterxml.jackson.annotation.JsonProperty", "com.fasterxml.jackson.annotation.JsonPropertyDescription",
			"io.micrometer.common.KeyValues", "jakarta.servlet.Filter", "jakarta.servlet.http.HttpServletRequest",
			"java.util.regex.Pattern", "org.slf4j.Logger", "org.springframework.ai.chat.client.ChatClient",
			"org.springframework.ai.chat.model.ChatModel", "org.springframework.ai.tool.ToolCallbackProvider",
			"org.springframework.boot.CommandLineRunner", "org.springframework.context.annotation.Bean",
			"org.springframework.context.event.EventListener", "org.springframework.stereotype.Component",
			"static java.nio.charset.StandardCharsets.UTF_8", "static org.assertj.core.api.Assertions.assertThat");

	private final Map<Sample, JavaSource> sources = new LinkedHashMap<>();

	private final Map<Sample, List<String>> problems = new LinkedHashMap<>();

	private final URLClassLoader loader;

	/**
	 * Compiles the samples.
	 * @param pages the samples of each page, in order
	 * @param repository the repository that contains the packages of Kairo
	 * @param directory the output directory for class files
	 */
	JavaSamples(List<List<Sample>> pages, Repository repository, Path directory) {
		String imports = imports(repository);
		pages.forEach((page) -> read(page.stream().filter(this::isChecked).toList(), imports));
		compile(directory);
		try {
			this.loader = new URLClassLoader(new URL[] { directory.toUri().toURL() }, getClass().getClassLoader());
		}
		catch (MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private boolean isChecked(Sample sample) {
		return languages().contains(sample.language()) && sample.unchecked().isEmpty();
	}

	private static String imports(Repository repository) {
		Set<String> packages = new TreeSet<>();
		for (Path file : repository.files((path) -> path.endsWith("package-info.java"))) {
			String name = file.getParent().toString().replace('\\', '/').replaceFirst(".*src/main/java/", "");
			if (JavaSamples.class.getResource("/" + name + "/package-info.class") != null) {
				packages.add(name.replace('/', '.') + ".*");
			}
		}
		packages.addAll(IMPORTS);
		StringBuilder imports = new StringBuilder();
		packages.forEach((name) -> imports.append("import ").append(name).append(";\n"));
		return imports.toString();
	}

	private void read(List<Sample> samples, String imports) {
		String companion = samples.stream()
			.map(JavaSource::packageOf)
			.filter((name) -> !name.isEmpty())
			.findFirst()
			.orElse("");
		String earlier = "";
		for (Sample sample : samples) {
			earlier = sample.continues() ? earlier : "";
			try {
				this.sources.put(sample, JavaSource.of(sample, earlier, companion, imports));
			}
			catch (IllegalArgumentException ex) {
				problem(sample, String.valueOf(ex.getMessage()));
			}
			earlier += sample.text();
		}
	}

	private void compile(Path directory) {
		if (this.sources.isEmpty()) {
			return;
		}
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		List<String> options = List.of("--release", "17", "-proc:none", "-parameters", "-Xlint:-options", "-d",
				directory.toString(), "-cp", System.getProperty("java.class.path"));
		ToolProvider.getSystemJavaCompiler()
			.getTask(null, null, diagnostics, options, null, this.sources.values())
			.call();
		for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
			if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
				if (!(diagnostic.getSource() instanceof JavaSource source)) {
					throw new IllegalStateException(diagnostic.toString());
				}
				problem(source.sample(), "line " + source.pageLine(diagnostic.getLineNumber()) + ": "
						+ diagnostic.getMessage(null).replaceAll("\\s+", " "));
			}
		}
	}

	private void problem(Sample sample, String problem) {
		this.problems.computeIfAbsent(sample, (key) -> new ArrayList<>()).add(problem);
	}

	@Override
	public Set<String> languages() {
		return Set.of("java");
	}

	@Override
	public List<String> check(Sample sample) {
		List<String> found = this.problems.getOrDefault(sample, List.of());
		return (found.isEmpty() && sample.runs()) ? run(sample) : found;
	}

	private List<String> run(Sample sample) {
		try {
			Class<?> type = type(sample);
			Constructor<?> constructor = type.getDeclaredConstructor();
			constructor.setAccessible(true);
			Method method = type.getDeclaredMethod("run");
			method.setAccessible(true);
			method.invoke(constructor.newInstance());
			return List.of();
		}
		catch (InvocationTargetException ex) {
			return List.of("fails: " + ex.getCause());
		}
		catch (ReflectiveOperationException ex) {
			return List.of("cannot be run: " + ex);
		}
	}

	/**
	 * Returns the class that a sample was compiled to.
	 */
	Class<?> type(Sample sample) throws ClassNotFoundException {
		return this.loader.loadClass(this.sources.get(sample).className());
	}

	@Override
	public void close() throws IOException {
		this.loader.close();
	}

}
