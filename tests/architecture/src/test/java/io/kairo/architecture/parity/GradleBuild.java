package io.kairo.architecture.parity;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.kairo.architecture.parity.Build.Dependency;
import io.kairo.architecture.parity.Build.Scope;

/**
 * Reads the Gradle build, whose scripts must use the notations that
 * {@link DependencyStatement} supports.
 */
final class GradleBuild {

	private static final Pattern MODULE = Pattern.compile("^module\\(\"([\\w-]+)\", \"([\\w/-]+)\"\\)$",
			Pattern.MULTILINE);

	private static final Pattern MENTION_OF_MODULE = Pattern.compile("^\\s*(module|include\\(\")", Pattern.MULTILINE);

	private static final Pattern GROUP = Pattern.compile("^\\tgroup = \"(.+)\"$", Pattern.MULTILINE);

	private static final Pattern VERSION = Pattern.compile("^\\tversion = \"(.+)\"$", Pattern.MULTILINE);

	private static final Pattern CHECKS = Pattern.compile("^val checks = listOf\\(\\n(.*?)^\\)$",
			Pattern.MULTILINE | Pattern.DOTALL);

	/**
	 * The test launcher, which Gradle needs as a dependency; Surefire adds it by itself.
	 */
	private static final DependencyStatement LAUNCHER = new DependencyStatement("testRuntimeOnly",
			DependencyStatement.Kind.COORDINATES, "org.junit.platform:junit-platform-launcher");

	private final UnaryOperator<String> files;

	private final VersionCatalog catalog;

	private final Map<String, String> platforms = new LinkedHashMap<>();

	private final Map<String, String> processors = new LinkedHashMap<>();

	private String group = "";

	private GradleBuild(UnaryOperator<String> files) {
		this.files = files;
		this.catalog = VersionCatalog.parse(files.apply("gradle/libs.versions.toml"));
	}

	/**
	 * Reads the build.
	 * @param files a function that returns the text of the file at a path such as
	 * {@code module/build.gradle.kts}
	 */
	static Build read(UnaryOperator<String> files) {
		return new GradleBuild(files).read();
	}

	private Build read() {
		String script = this.files.apply("build.gradle.kts");
		this.group = only(GROUP, script);
		DependencyStatement.parse("build.gradle.kts", script).forEach(this::readConvention);
		Map<String, Build.Module> modules = new LinkedHashMap<>();
		artifacts(this.files.apply("settings.gradle.kts"))
			.forEach((directory, artifact) -> modules.put(directory, readModule(directory, artifact)));
		return new Build(this.group, only(VERSION, script), this.catalog.versions(), this.platforms,
				compilerArguments(script), modules);
	}

	private void readConvention(DependencyStatement statement) {
		switch (statement.configuration()) {
			case "classpath" -> this.catalog.library(statement.name());
			case "annotationProcessor" -> addProcessor(this.processors, statement);
			case "dependencyManagement" -> addPlatform(statement);
			default -> {
				if (!statement.equals(LAUNCHER)) {
					throw unsupported("build.gradle.kts", statement);
				}
			}
		}
	}

	private void addPlatform(DependencyStatement statement) {
		if (statement.kind() != DependencyStatement.Kind.PLATFORM) {
			throw unsupported("build.gradle.kts", statement);
		}
		VersionCatalog.Library library = this.catalog.library(statement.name());
		this.platforms.put(library.coordinates(), library.version());
	}

	private void addProcessor(Map<String, String> processors, DependencyStatement statement) {
		VersionCatalog.Library library = this.catalog.library(statement.name());
		processors.put(library.coordinates(), library.version());
	}

	private Build.Module readModule(String directory, String artifact) {
		String file = directory + "/build.gradle.kts";
		Map<String, Dependency> dependencies = new LinkedHashMap<>();
		String script = this.files.apply(file);
		Map<String, String> processors = new LinkedHashMap<>();
		if (!script.contains("`java-platform`")) {
			processors.putAll(this.processors);
		}
		for (DependencyStatement statement : DependencyStatement.parse(file, script)) {
			if (statement.configuration().equals("annotationProcessor")) {
				addProcessor(processors, statement);
			}
			else if (dependencies.put(coordinates(file, statement), dependency(file, statement)) != null) {
				throw new IllegalStateException(file + " has " + statement + " twice");
			}
		}
		return new Build.Module(artifact, dependencies, processors);
	}

	private Dependency dependency(String file, DependencyStatement statement) {
		Scope scope = switch (statement.configuration()) {
			case "api", "implementation" -> Scope.COMPILE;
			case "compileOnly" -> Scope.OPTIONAL;
			case "runtimeOnly" -> Scope.RUNTIME;
			case "testImplementation" -> Scope.TEST;
			case "constraints.api" -> Scope.CONSTRAINT;
			default -> throw unsupported(file, statement);
		};
		return new Dependency(scope, (statement.kind() == DependencyStatement.Kind.LIBRARY)
				? this.catalog.library(statement.name()).version() : Dependency.MANAGED);
	}

	private String coordinates(String file, DependencyStatement statement) {
		return switch (statement.kind()) {
			case PROJECT -> this.group + ":" + statement.name();
			case COORDINATES -> statement.name();
			case LIBRARY -> this.catalog.library(statement.name()).coordinates();
			case PLATFORM -> throw unsupported(file, statement);
		};
	}

	/**
	 * Returns the names of the artifacts by directory.
	 */
	private static Map<String, String> artifacts(String settings) {
		Map<String, String> artifacts = new LinkedHashMap<>();
		MODULE.matcher(settings).results().forEach((result) -> artifacts.put(result.group(2), result.group(1)));
		if (artifacts.size() != MENTION_OF_MODULE.matcher(settings).results().count()) {
			throw new IllegalStateException(
					"settings.gradle.kts: write one module(\"artifact\", \"directory\") per line");
		}
		return artifacts;
	}

	private static List<String> compilerArguments(String script) {
		return only(CHECKS, script).lines().map((line) -> line.strip().replaceAll("^\"|\",$", "")).toList();
	}

	private static String only(Pattern pattern, String script) {
		List<String> found = pattern.matcher(script).results().map((MatchResult result) -> result.group(1)).toList();
		if (found.size() != 1) {
			throw new IllegalStateException("build.gradle.kts has " + found.size() + " matches of " + pattern);
		}
		return found.get(0);
	}

	private static IllegalStateException unsupported(String file, DependencyStatement statement) {
		return new IllegalStateException(
				file + ": the comparison of the builds does not support " + statement + " here");
	}

}
