package io.kairo.architecture;

import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the text of all files in the repository.
 */
class SourceRulesTests {

	private static final Pattern REGISTRY = Pattern
		.compile("(?i)https?://[^\\s\"'<>)]*(maven|npmjs|debian|gradle|sonatype|pypi)[^\\s\"'<>)]*");

	private static final List<String> NAMESPACES = List.of("http://maven.apache.org/POM/4.0.0",
			"https://maven.apache.org/xsd/maven-4.0.0.xsd");

	private static final Pattern MACHINE_PATH = Pattern.compile("(?<![\\w.~-])/(root|home/[a-z_][\\w-]*)/");

	/** A property in the text of a message. */
	private static final Pattern PROPERTY = Pattern
		.compile("\"[^\"\\n]*kairo\\.(health|mcp|metrics|sandbox|tenancy|tools|workspace)\\.[a-z][^\"\\n]*\"");

	/**
	 * The problems of bubblewrap and Docker are those of the start, as are those of an
	 * auto-configuration; tools leave their remedies out.
	 */
	private static final Pattern MODEL_FACING = Pattern.compile(
			"^(agent-tools|host/support|sandbox|workspace)(?!.*((bubblewrap|docker|microvm)/Reason\\.java|/autoconfigure/))");

	private final Repository repository = Repository.find();

	@Test
	void everyPackageIsDocumentedAndNullMarked() {
		TreeSet<Path> packages = this.repository.files(SourceRulesTests::isMainCode)
			.stream()
			.map(Path::getParent)
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(packages).isNotEmpty().allSatisfy((directory) -> {
			Path packageInfo = directory.resolve("package-info.java");
			assertThat(this.repository.root().resolve(packageInfo)).isRegularFile();
			assertThat(this.repository.read(packageInfo.toString())).startsWith("/**").contains("@NullMarked");
		});
	}

	@Test
	void noFileContainsAddressOfPackageRegistry() {
		assertThat(findings(REGISTRY).filter((finding) -> NAMESPACES.stream().noneMatch(finding::endsWith)))
			.as("addresses of package registries, which are configured by the user")
			.isEmpty();
	}

	@Test
	void noFileContainsPathOfDeveloperMachine() {
		assertThat(findings(MACHINE_PATH)).as("paths of a developer's machine").isEmpty();
	}

	@Test
	void onlyTheAutoConfigurationNamesProperties() {
		assertThat(
				findings(PROPERTY).filter((finding) -> isMainCode(Path.of(finding.substring(0, finding.indexOf(':')))))
					.filter((finding) -> MODEL_FACING.matcher(finding).find()))
			.as("properties in text that a model can see; advice for operators belongs into the log")
			.isEmpty();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "https://repo.maven.example/x", "http://registry.npmjs.example", "https://x/gradle-9.zip" })
	void addressOfPackageRegistryIsDetected(String text) {
		assertThat(REGISTRY.matcher("url=" + text + "\n").find()).isTrue();
	}

	private Stream<String> findings(Pattern pattern) {
		List<Path> files = this.repository.files((path) -> !path.endsWith("SourceRulesTests.java"));
		assertThat(files).contains(Path.of("pom.xml"), Path.of("build.gradle.kts"));
		return files.stream()
			.flatMap((file) -> pattern.matcher(text(file)).results().map((match) -> file + ": " + match.group()));
	}

	private String text(Path file) {
		try {
			return this.repository.read(file.toString());
		}
		catch (UncheckedIOException ex) {
			if (ex.getCause() instanceof MalformedInputException) {
				return "";
			}
			throw ex;
		}
	}

	private static boolean isMainCode(Path path) {
		return path.toString().endsWith(".java") && path.toString().contains("src/main/java/");
	}

}
