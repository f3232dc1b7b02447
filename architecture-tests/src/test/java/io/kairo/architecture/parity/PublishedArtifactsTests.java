package io.kairo.architecture.parity;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;

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
	void releaseProfileMakesBillOfMaterials() {
		assertThat(Pom.parse("pom.xml", this.repository.read("pom.xml")).all("profiles", "profile"))
			.filteredOn((profile) -> profile.required("id").equals("release"))
			.flatExtracting((profile) -> profile.all("build", "plugins", "plugin", "executions", "execution", "goals"))
			.extracting(Pom::text)
			.contains("makeBom");
	}

	@ParameterizedTest
	@ValueSource(strings = { "LICENSE", "NOTICE" })
	void everyArtifactWithCodeContains(String file) throws IOException {
		List<URL> found = Collections.list(getClass().getClassLoader().getResources("META-INF/" + file));
		String text = this.repository.read(file);
		assertThat(this.published).filteredOn((directory) -> !directory.equals(BOM))
			.isNotEmpty()
			.allSatisfy((directory) -> assertThat(found)
				.anySatisfy((url) -> assertThat(url.getPath()).contains("/" + directory + "/"))
				.filteredOn((url) -> url.getPath().contains("/" + directory + "/"))
				.allSatisfy((url) -> assertThat(contentOf(url)).isEqualTo(text)));
	}

}
