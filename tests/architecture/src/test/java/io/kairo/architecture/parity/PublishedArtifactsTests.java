package io.kairo.architecture.parity;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.architecture.Repository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;

/**
 * Tests for the contents that every published artifact has besides its code.
 */
class PublishedArtifactsTests {

	private static final String BOM = "kairo-bom";

	private static final Pattern MODULE_NAME = Pattern.compile("\"Automatic-Module-Name\" to \"([\\w.]+)\"");

	private final Repository repository = Repository.find();

	private final List<String> published = MavenBuild.read(this.repository::read)
		.modules()
		.keySet()
		.stream()
		.filter((directory) -> pom(directory).all("properties", "maven.deploy.skip").isEmpty())
		.toList();

	private Pom pom(String directory) {
		return Pom.parse(directory, this.repository.read(directory + "/pom.xml"));
	}

	@Test
	void everyPomHasNameAndDescription() {
		assertThat(this.published).contains(BOM, "kairo-spring-boot-starter").allSatisfy((directory) -> {
			assertThat(pom(directory).required("name")).startsWith("Kairo ");
			assertThat(pom(directory).required("description")).isNotEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "pom.xml", BOM + "/pom.xml" })
	void pomsWithoutParentStateLicenceAndDevelopers(String file) {
		Pom pom = Pom.parse(file, this.repository.read(file));
		assertThat(pom.required("licenses", "license", "name")).isEqualTo("Apache-2.0");
		assertThat(pom.required("developers", "developer", "name")).isNotEmpty();
	}

	@Test
	void releaseProfileMakesJavadocAndBillOfMaterials() {
		assertThat(Pom.parse("pom.xml", this.repository.read("pom.xml")).all("profiles", "profile"))
			.filteredOn((profile) -> profile.required("id").equals("release"))
			.flatExtracting(
					(profile) -> profile.all("build", "plugins", "plugin", "executions", "execution", "goals", "goal"))
			.extracting(Pom::text)
			.contains("makeBom", "jar");
	}

	@Test
	void everyJarHasModuleNameInBothBuilds() {
		assertThat(this.repository.read("build.gradle.kts"))
			.contains("\"Automatic-Module-Name\" to \"io.\" + project.name.replace('-', '.')");
		assertThat(withCode()).extracting(this::moduleName)
			.doesNotHaveDuplicates()
			.allSatisfy((name) -> assertThat(ModuleDescriptor.newAutomaticModule(name).build().name()).isEqualTo(name));
		assertThat(withCode()).allSatisfy((directory) -> {
			Matcher own = MODULE_NAME.matcher(this.repository.read(directory + "/build.gradle.kts"));
			String artifact = pom(directory).required("artifactId");
			assertThat(moduleName(directory)).isEqualTo(own.find() ? own.group(1) : "io." + artifact.replace('-', '.'));
		});
	}

	/**
	 * Looks at the jars on the class path, which the phase {@code verify} of Maven has
	 * built.
	 */
	@Test
	void jarsHaveModuleNameOfTheirPom() throws IOException {
		for (URL manifest : Collections.list(getClass().getClassLoader().getResources("META-INF/MANIFEST.MF"))) {
			for (String directory : withCode()) {
				if (manifest.getPath().contains("/" + directory + "/target/kairo-")) {
					try (InputStream in = manifest.openStream()) {
						assertThat(new Manifest(in).getMainAttributes().getValue("Automatic-Module-Name")).as(directory)
							.isEqualTo(moduleName(directory));
					}
				}
			}
		}
	}

	private List<String> withCode() {
		return this.published.stream().filter((directory) -> !directory.equals(BOM)).toList();
	}

	private String moduleName(String directory) {
		return pom(directory).required("properties", "automatic.module.name");
	}

	@ParameterizedTest
	@ValueSource(strings = { "LICENSE", "NOTICE" })
	void everyArtifactWithCodeContains(String file) throws IOException {
		List<URL> found = Collections.list(getClass().getClassLoader().getResources("META-INF/" + file));
		String text = this.repository.read(file);
		assertThat(withCode()).isNotEmpty()
			.allSatisfy((directory) -> assertThat(found)
				.anySatisfy((url) -> assertThat(url.getPath()).contains("/" + directory + "/"))
				.filteredOn((url) -> url.getPath().contains("/" + directory + "/"))
				.allSatisfy((url) -> assertThat(contentOf(url)).isEqualTo(text)));
	}

}
