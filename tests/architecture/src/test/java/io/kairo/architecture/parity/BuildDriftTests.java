package io.kairo.architecture.parity;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link BuildDrift} with two small builds.
 */
class BuildDriftTests {

	private static final String CONTRACT_TESTS = "<profiles><profile><id>contract-tests</id><activation><property>"
			+ "<name>maven.test.skip</name><value>!true</value></property></activation><dependencies><dependency>"
			+ "<groupId>x</groupId><artifactId>%s</artifactId><scope>test</scope></dependency></dependencies></profile>"
			+ "</profiles>";

	private final Map<String, String> files = new HashMap<>(Map.of("pom.xml", """
			<project>
				<groupId>g</groupId>
				<artifactId>parent</artifactId>
				<version>1</version>
				<modules>
					<module>a</module>
					<module>kairo-b</module>
				</modules>
				<properties>
					<java.version>17</java.version>
					<bom.version>7</bom.version>
					<lib.version>3</lib.version>
					<processor.version>4</processor.version>
				</properties>
				<dependencyManagement>
					<dependencies>
						<dependency>
							<groupId>x</groupId>
							<artifactId>bom</artifactId>
							<version>${bom.version}</version>
							<type>pom</type>
							<scope>import</scope>
						</dependency>
						<dependency>
							<groupId>x</groupId>
							<artifactId>lib</artifactId>
							<version>${lib.version}</version>
						</dependency>
					</dependencies>
				</dependencyManagement>
				<build>
					<plugins>
						<plugin>
							<artifactId>maven-compiler-plugin</artifactId>
							<executions>
								<execution>
									<id>default-compile</id>
									<configuration>
										<compilerArgs>
											<arg>-Werror</arg>
										</compilerArgs>
										<annotationProcessorPaths>
											<path>
												<groupId>x</groupId>
												<artifactId>processor</artifactId>
												<version>${processor.version}</version>
											</path>
										</annotationProcessorPaths>
									</configuration>
								</execution>
							</executions>
						</plugin>
					</plugins>
				</build>
			</project>
			""", "a/pom.xml", """
			<project>
				<parent>
					<groupId>g</groupId>
					<artifactId>parent</artifactId>
					<version>1</version>
				</parent>
				<artifactId>kairo-a</artifactId>
				<dependencies>
					<dependency>
						<groupId>x</groupId>
						<artifactId>lib</artifactId>
					</dependency>
					<dependency>
						<groupId>x</groupId>
						<artifactId>managed</artifactId>
						<scope>test</scope>
					</dependency>
				</dependencies>
			</project>
			""", "kairo-b/pom.xml", """
			<project>
				<parent>
					<groupId>g</groupId>
					<artifactId>parent</artifactId>
					<version>1</version>
				</parent>
				<artifactId>kairo-b</artifactId>
				<dependencies>
					<dependency>
						<groupId>g</groupId>
						<artifactId>kairo-a</artifactId>
						<optional>true</optional>
					</dependency>
					<dependency>
						<groupId>x</groupId>
						<artifactId>engine</artifactId>
						<scope>runtime</scope>
					</dependency>
				</dependencies>
			</project>
			""", "settings.gradle.kts", """
			module("kairo-a", "a")
			module("kairo-b", "kairo-b")
			""", "build.gradle.kts", """
			val checks = listOf(
				"-Werror",
			)

			allprojects {
				group = "g"
				version = "1"
			}

			subprojects {
				dependencies {
					"dependencyManagement"(platform(catalog.bom))
					"annotationProcessor"(catalog.processor)
					"testRuntimeOnly"("org.junit.platform:junit-platform-launcher")
				}
			}
			""", "a/build.gradle.kts", """
			dependencies {
				api(libs.some.lib) // with a comment

				testImplementation("x:managed")
			}
			""", "kairo-b/build.gradle.kts", """
			dependencies {
				compileOnly(project(":kairo-a"))
				runtimeOnly("x:engine")
			}
			""", "gradle/libs.versions.toml", """
			[versions]
			java = "17"
			bom = "7"
			lib = "3"
			processor = "4"

			[libraries]
			bom = { module = "x:bom", version.ref = "bom" }
			some-lib = { module = "x:lib", version.ref = "lib" }
			processor = { module = "x:processor", version.ref = "processor" }
			"""));

	private List<String> drift() {
		return BuildDrift.between(MavenBuild.read(this.files::get), GradleBuild.read(this.files::get));
	}

	private BuildDriftTests with(String file, String text, String replacement) {
		assertThat(this.files.get(file)).contains(text);
		this.files.computeIfPresent(file, (name, content) -> content.replace(text, replacement));
		return this;
	}

	@Test
	void nothingIsReportedForBuildsThatAgree() {
		assertThat(drift()).isEmpty();
	}

	@Nested
	class Dependencies {

		@Test
		void dependencyMissingInGradleIsReported() {
			assertThat(with("kairo-b/build.gradle.kts", "runtimeOnly(\"x:engine\")", "").drift()).containsExactly(
					"kairo-b: the dependency x:engine is RUNTIME (managed) in Maven and missing in Gradle");
		}

		@Test
		void dependencyMissingInMavenIsReported() {
			assertThat(with("a/build.gradle.kts", "testImpl", "api(\"x:extra\")\n\ttestImpl").drift())
				.containsExactly("a: the dependency x:extra is missing in Maven and COMPILE (managed) in Gradle");
		}

		@Test
		void differentScopeIsReported() {
			assertThat(with("a/build.gradle.kts", "testImplementation", "implementation").drift()).containsExactly(
					"a: the dependency x:managed is TEST (managed) in Maven and COMPILE (managed) in Gradle");
		}

		@Test
		void dependencyThatIsOptionalInOneBuildIsReported() {
			assertThat(with("kairo-b/pom.xml", "<optional>true</optional>", "").drift()).containsExactly(
					"kairo-b: the dependency g:kairo-a is COMPILE (managed) in Maven and OPTIONAL (managed) in Gradle");
		}

		@Test
		void dependencyVersionInOneBuildIsReported() {
			assertThat(with("a/pom.xml", "<artifactId>managed</artifactId>",
					"<artifactId>managed</artifactId><version>9</version>")
				.drift())
				.containsExactly("a: the dependency x:managed is TEST (9) in Maven and TEST (managed) in Gradle");
		}

		@Test
		void testKitOfProfileIsComparedLikeOtherDependencies() {
			with("a/pom.xml", "<dependencies>", CONTRACT_TESTS.formatted("kit") + "<dependencies>");
			assertThat(drift())
				.containsExactly("a: the dependency x:kit is TEST (managed) in Maven and missing in Gradle");
			assertThat(with("a/build.gradle.kts", "testImpl", "testImplementation(\"x:kit\")\n\ttestImpl").drift())
				.isEmpty();
		}

		@Test
		void testKitThatIsDeclaredTwiceFails() {
			assertThatIllegalStateException().isThrownBy(
					with("a/pom.xml", "<dependencies>", CONTRACT_TESTS.formatted("managed") + "<dependencies>")::drift);
		}

		@Test
		void missingAnnotationProcessorIsReported() {
			assertThat(with("build.gradle.kts", "\"annotationProcessor\"(catalog.processor)", "").drift())
				.containsExactly("a: the annotation processor x:processor is 4 in Maven and missing in Gradle",
						"kairo-b: the annotation processor x:processor is 4 in Maven and missing in Gradle");
		}

	}

	@Nested
	class Versions {

		@Test
		void differentVersionIsReportedForDeclarationAndUse() {
			assertThat(with("gradle/libs.versions.toml", "lib = \"3\"", "lib = \"3.1\"").drift()).containsExactly(
					"the version named lib is 3 in Maven and 3.1 in Gradle",
					"a: the dependency x:lib is COMPILE (3) in Maven and COMPILE (3.1) in Gradle");
		}

		@Test
		void differentBomVersionIsReported() {
			assertThat(with("pom.xml", "<bom.version>7</bom.version>", "<bom.version>8</bom.version>").drift())
				.contains("the BOM x:bom is 8 in Maven and 7 in Gradle");
		}

		@Test
		void versionNamedInOneBuildIsReported() {
			assertThat(with("gradle/libs.versions.toml", "java = \"17\"", "").drift())
				.containsExactly("the version named java is 17 in Maven and missing in Gradle");
		}

		@Test
		void differentProjectVersionOrGroupIsReported() {
			assertThat(with("build.gradle.kts", "version = \"1\"", "version = \"2\"").drift())
				.containsExactly("the version of the project is 1 in Maven and 2 in Gradle");
			assertThat(with("build.gradle.kts", "group = \"g\"", "group = \"h\"").drift())
				.contains("the group is g in Maven and h in Gradle");
		}

		@Test
		void differentCompilerArgumentIsReported() {
			assertThat(with("build.gradle.kts", "-Werror", "-nowarn").drift()).containsExactly(
					"the compiler argument -Werror is there in Maven and missing in Gradle",
					"the compiler argument -nowarn is missing in Maven and there in Gradle");
		}

	}

	@Nested
	class Modules {

		@Test
		void moduleMissingInGradleIsReported() {
			assertThat(with("settings.gradle.kts", "module(\"kairo-b\", \"kairo-b\")", "").drift())
				.containsExactly("the module kairo-b is there in Maven and missing in Gradle");
		}

		@Test
		void moduleMissingInMavenIsReported() {
			assertThat(with("pom.xml", "<module>a</module>", "").drift())
				.containsExactly("the module a is missing in Maven and there in Gradle");
		}

		@Test
		void differentArtifactIsReported() {
			assertThat(with("settings.gradle.kts", "kairo-a", "a").drift())
				.containsExactly("a: the artifact is kairo-a in Maven and a in Gradle");
		}

	}

	@Nested
	class Boms {

		@BeforeEach
		void addBom() {
			with("pom.xml", "<module>a</module>", "<module>a</module><module>kairo-bom</module>");
			with("settings.gradle.kts", "module(\"kairo-a\", \"a\")",
					"module(\"kairo-a\", \"a\")\nmodule(\"kairo-bom\", \"kairo-bom\")");
			BuildDriftTests.this.files.put("kairo-bom/pom.xml", """
					<project>
						<groupId>g</groupId>
						<artifactId>kairo-bom</artifactId>
						<version>1</version>
						<packaging>pom</packaging>
						<dependencyManagement>
							<dependencies>
								<dependency>
									<groupId>g</groupId>
									<artifactId>kairo-a</artifactId>
									<version>${project.version}</version>
								</dependency>
							</dependencies>
						</dependencyManagement>
					</project>
					""");
			BuildDriftTests.this.files.put("kairo-bom/build.gradle.kts", """
					plugins {
						`java-platform`
					}

					dependencies {
						constraints {
							api(project(":kairo-a"))
						}
					}
					""");
		}

		@Test
		void nothingIsReportedForBomsThatAgree() {
			assertThat(drift()).isEmpty();
		}

		@Test
		void artifactMissingInOneBomIsReported() {
			assertThat(with("kairo-bom/build.gradle.kts", "api(project(\":kairo-a\"))", "").drift()).containsExactly(
					"kairo-bom: the dependency g:kairo-a is CONSTRAINT (managed) in Maven and missing in Gradle");
		}

		@Test
		void dependencyInsteadOfConstraintIsReported() {
			assertThat(with("kairo-bom/build.gradle.kts", "constraints {\n\t\tapi(project(\":kairo-a\"))\n\t}",
					"api(project(\":kairo-a\"))")
				.drift())
				.containsExactly("kairo-bom: the dependency g:kairo-a is CONSTRAINT (managed) in Maven and "
						+ "COMPILE (managed) in Gradle");
		}

		@Test
		void bomWithAnotherVersionFails() {
			assertThatIllegalStateException()
				.isThrownBy(with("kairo-bom/pom.xml", "<version>1</version>", "<version>2</version>")::drift)
				.withMessageContaining("kairo-bom/pom.xml");
		}

	}

	@Nested
	class Unsupported {

		@ParameterizedTest
		@ValueSource(strings = { "api(\"x:managed:1.0\")", "api(\"x:managed\") { isTransitive = false }",
				"if (fast) api(\"x:managed\")", "api(kotlin(\"stdlib\"))", "api(files(\"x.jar\"))", "add(\"api\", lib)",
				"compileOnlyApi(\"x:managed\")", "api(libs.unknown)", "api(platform(libs.bom))" })
		void unsupportedDependencyInGradleScriptFails(String line) {
			assertThatIllegalStateException()
				.isThrownBy(with("a/build.gradle.kts", "testImplementation(\"x:managed\")", line)::drift);
		}

		@Test
		void gradleDependenciesOutsideBlockFail() {
			assertThatIllegalStateException().isThrownBy(
					with("a/build.gradle.kts", "dependencies {", "dependencies.add(\"api\", x)\ndependencies {")::drift)
				.withMessageContaining("a/build.gradle.kts:1")
				.withMessageContaining("dependencies.add");
		}

		@Test
		void gradleIncludeOfSeveralDirectoriesFails() {
			assertThatIllegalStateException()
				.isThrownBy(with("settings.gradle.kts", "module(\"kairo-a\", \"a\")", "include(\"a\", \"c\")")::drift);
		}

		@ParameterizedTest
		@ValueSource(strings = { "<classifier>x</classifier>", "<exclusions/>", "<scope>provided</scope>" })
		void unsupportedElementOfPomFails(String element) {
			assertThatIllegalStateException().isThrownBy(
					with("kairo-b/pom.xml", "<optional>true</optional>", "<optional>true</optional>" + element)::drift);
		}

		@ParameterizedTest
		@ValueSource(strings = { "<id>other</id>", "<value>true</value>", "<name>skipTests</name>",
				"<scope>runtime</scope>", "<build/>" })
		void profileOtherThanContractTestsFails(String element) {
			String profile = CONTRACT_TESTS.formatted("kit");
			String name = element.substring(1).replaceAll("[>/].*", "");
			String changed = profile.contains("<" + name + ">")
					? profile.replaceFirst("<" + name + ">.*?</" + name + ">", element)
					: profile.replace("<activation>", element + "<activation>");
			assertThatIllegalStateException()
				.isThrownBy(with("a/pom.xml", "<dependencies>", changed + "<dependencies>")::drift);
		}

		@Test
		void profileOfParentWithDependenciesFails() {
			assertThatIllegalStateException().isThrownBy(with("pom.xml", "<build>",
					"<profiles><profile><id>x</id><dependencies/></profile></profiles><build>")::drift);
		}

		@Test
		void emptyProfilesElementFails() {
			assertThatIllegalStateException()
				.isThrownBy(with("a/pom.xml", "<dependencies>", "<profiles/><dependencies>")::drift);
		}

		@ParameterizedTest
		@ValueSource(strings = { "java-tool", "java_tool", "java.tool" })
		void versionAliasThatIsAPrefixOfAnotherFails(String alias) {
			assertThatIllegalStateException().isThrownBy(
					with("gradle/libs.versions.toml", "[libraries]", "\"" + alias + "\" = \"1\"\n[libraries]")::drift)
				.withMessageContaining("java in [versions] is a group for Gradle, since there is " + alias);
		}

		@Test
		void libraryAliasThatIsAPrefixOfAnotherFails() {
			assertThatIllegalStateException()
				.isThrownBy(with("gradle/libs.versions.toml", "processor = { module", "some = { module")::drift)
				.withMessageContaining("some in [libraries] is a group for Gradle, since there is some-lib");
		}

		@ParameterizedTest
		@ValueSource(strings = { "plugins", "bundles" })
		void otherTableOfVersionCatalogFails(String table) {
			assertThatIllegalStateException()
				.isThrownBy(with("gradle/libs.versions.toml", "[libraries]", "[" + table + "]\n[libraries]")::drift)
				.withMessageContaining(table);
		}

		@Test
		void versionAliasThatOnlyBeginsLikeAnotherIsAccepted() {
			assertThat(with("gradle/libs.versions.toml", "lib = \"3\"", "lib = \"3\"\nlibrary = \"1\"").drift())
				.containsExactly("the version named library is missing in Maven and 1 in Gradle");
		}

		@Test
		void differentParentVersionFails() {
			assertThatIllegalStateException()
				.isThrownBy(with("a/pom.xml", "<version>1</version>", "<version>2</version>")::drift)
				.withMessageContaining("a/pom.xml");
		}

	}

}
