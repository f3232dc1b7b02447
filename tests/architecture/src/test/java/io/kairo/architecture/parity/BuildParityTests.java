package io.kairo.architecture.parity;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.architecture.Repository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the Maven and the Gradle build of this repository agree.
 */
class BuildParityTests {

	private final Repository repository = Repository.find();

	private final Build maven = MavenBuild.read(this.repository::read);

	private final Build gradle = GradleBuild.read(this.repository::read);

	@Test
	void mavenAndGradleBuildAgree() {
		assertThat(BuildDrift.between(this.maven, this.gradle))
			.as("differences between pom.xml and build.gradle.kts: change both")
			.isEmpty();
	}

	@Test
	void mavenBuildIsReadWithModulesPlatformsAndProcessors() {
		assertThat(this.maven.modules()).containsKeys("workspace-spi", "kairo-spring-boot-starter");
		assertThat(this.maven.platforms()).isNotEmpty();
		assertThat(this.maven.compilerArguments()).isNotEmpty();
		assertThat(this.maven.modules().get("workspace-spi").processors()).isNotEmpty();
		assertThat(this.maven.modules().get("workspace-spi").dependencies()).isNotEmpty();
	}

	@Test
	void bomManagesEveryPublishedModule() {
		Build.Module bom = this.maven.modules().get("kairo-bom");
		assertThat(bom.dependencies().keySet()).containsExactlyInAnyOrderElementsOf(this.maven.modules()
			.keySet()
			.stream()
			.map((directory) -> Pom.parse(directory, this.repository.read(directory + "/pom.xml")))
			.filter((pom) -> pom.all("properties", "maven.deploy.skip").isEmpty())
			.map((pom) -> "io.kairo:" + pom.required("artifactId"))
			.filter((coordinates) -> !coordinates.endsWith(":" + bom.artifact()))
			.toList());
	}

	/**
	 * Otherwise Maven selects the version of another library where the application
	 * imports no BOM.
	 */
	@Test
	void moduleWithJacksonDatabindDeclaresJacksonCore() {
		String prefix = "tools.jackson.core:jackson-";
		assertThat(this.maven.modules().values()).allSatisfy((module) -> {
			Map<String, Build.Dependency> dependencies = module.dependencies();
			assertThat(dependencies.get(prefix + "core")).as(module.artifact())
				.isEqualTo(dependencies.get(prefix + "databind"));
		});
		assertThat(this.maven.modules().get("agent-tools").dependencies()).containsKey(prefix + "core");
	}

	@ParameterizedTest
	@ValueSource(strings = { "two-tenants", "two-tenants-webflux" })
	void smokeTestHasSameVersionsAsBuild(String project) {
		String smoke = this.repository.read("tests/smoke/" + project + "/pom.xml");
		String parent = this.repository.read("pom.xml");
		assertThat(smoke).contains("<version>" + element("spring-boot.version", parent) + "</version>")
			.contains("<spring-ai.version>" + element("spring-ai.version", parent) + "</spring-ai.version>")
			.contains("<java.version>" + element("java.version", parent) + "</java.version>")
			.contains("<kairo.version>" + element("version", parent) + "</kairo.version>");
		assertThat(this.repository.read("tests/smoke/documentation/pom.xml"))
			.contains("<version>" + element("spring-boot.version", parent) + "</version>")
			.contains("<java.version>" + element("java.version", parent) + "</java.version>")
			.contains("<version>" + element("version", parent) + "</version>");
	}

	private static String element(String name, String xml) {
		Matcher element = Pattern.compile("<" + Pattern.quote(name) + ">([^<]+)<").matcher(xml);
		assertThat(element.find()).as(name).isTrue();
		return element.group(1);
	}

	@Test
	void everyDirectoryWithPomIsModule() {
		assertThat(this.repository
			.files((path) -> path.endsWith("pom.xml") && path.getNameCount() > 1 && !path.startsWith("tests/smoke")))
			.extracting((path) -> path.getParent().toString())
			.containsExactlyInAnyOrderElementsOf(this.maven.modules().keySet());
	}

}
