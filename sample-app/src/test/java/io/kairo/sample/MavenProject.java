package io.kairo.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * A small Maven project with one test, which fails, and a local repository with what its
 * build needs. The plugins and JUnit are those of this build, which has them.
 *
 * @param maven the program
 * @param repository the local repository, which every user can read
 * @param junit the version of JUnit
 */
record MavenProject(Path maven, Path repository, String junit) {

	static final String MAIN = "src/main/java/demo/Prices.java";

	static final String TEST = "src/test/java/demo/PricesTests.java";

	/** Options of the JVM of Maven, which lives for a few seconds. */
	static final String JVM_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

	private static final long PATIENCE_SECONDS = 120;

	/**
	 * Prepares the repository, or skips the test where Maven does not run this build.
	 */
	static MavenProject prepare(Path directory) throws Exception {
		// .../org/junit/jupiter/junit-jupiter-api/<version>/junit-jupiter-api-<version>.jar
		Path jar = Path.of(Test.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		Path local = jar.resolve("../../../../../..").normalize();
		assumeThat(local.relativize(jar)).as("SKIPPED: JUnit is not from a local repository of Maven")
			.startsWithRaw(Path.of("org", "junit", "jupiter"));
		MavenProject project = new MavenProject(findMaven(), directory.resolve("repository"),
				jar.getParent().getFileName().toString());
		Path repaired = directory.resolve("repaired");
		project.write(repaired);
		Files.writeString(repaired.resolve(MAIN), Files.readString(repaired.resolve(MAIN)).replace('+', '*'));
		project.fill(repaired, local);
		return project;
	}

	private static Path findMaven() throws IOException {
		for (String directory : System.getenv("PATH").split(":")) {
			Path program = Path.of(directory, "mvn");
			if (Files.isExecutable(program)) {
				return program.toRealPath();
			}
		}
		assumeThat(false).as("SKIPPED: there is no mvn in the PATH").isTrue();
		throw new AssertionError();
	}

	/**
	 * Builds a project with the local repository of this build as the only remote one.
	 */
	private void fill(Path project, Path local) throws Exception {
		Path settings = Files.writeString(project.resolve("settings.xml"),
				"""
						<settings><mirrors><mirror><id>central</id><mirrorOf>*</mirrorOf><url>%s</url></mirror></mirrors></settings>
						"""
					.formatted(local.toUri()));
		ProcessBuilder builder = new ProcessBuilder("sh", "-c", "umask 022; exec \"$@\"", "sh", this.maven.toString(),
				"-q", "-B", "-s", settings.toString(), "-gs", settings.toString(),
				"-Dmaven.repo.local=" + this.repository, "test")
			.directory(project.toFile())
			.redirectErrorStream(true)
			.redirectOutput(project.resolve("log").toFile());
		builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
		builder.environment().put("MAVEN_OPTS", JVM_OPTIONS);
		Process process = builder.start();
		try {
			assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("Maven has ended").isTrue();
			assertThat(process.exitValue()).as(Files.readString(project.resolve("log"))).isZero();
		}
		finally {
			process.destroyForcibly();
		}
	}

	/**
	 * Returns the directories that the build needs and are not among those of the system.
	 */
	String paths() {
		return Stream.of(this.repository, this.maven.getParent().getParent(), Path.of(System.getProperty("java.home")))
			.filter((path) -> !path.startsWith("/usr"))
			.map(Path::toString)
			.collect(Collectors.joining(","));
	}

	String testCommand() {
		return this.maven + " -o -q -B -Dmaven.repo.local=" + this.repository + " test";
	}

	void write(Path directory) throws IOException {
		Files.createDirectories(directory.resolve(MAIN).getParent());
		Files.createDirectories(directory.resolve(TEST).getParent());
		Files.writeString(directory.resolve("pom.xml"), """
				<project xmlns="http://maven.apache.org/POM/4.0.0">
					<modelVersion>4.0.0</modelVersion>
					<groupId>demo</groupId>
					<artifactId>prices</artifactId>
					<version>1</version>
					<properties>
						<maven.compiler.release>17</maven.compiler.release>
						<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
					</properties>
					<dependencies>
						<dependency>
							<groupId>org.junit.jupiter</groupId>
							<artifactId>junit-jupiter</artifactId>
							<version>%s</version>
							<scope>test</scope>
						</dependency>
					</dependencies>
					<build>
						<plugins>
							%s
						</plugins>
					</build>
				</project>
				""".formatted(this.junit, plugins()));
		Files.writeString(directory.resolve(MAIN), """
				package demo;

				final class Prices {

					static int total(int price, int count) {
						return price + count;
					}

				}
				""");
		Files.writeString(directory.resolve(TEST), """
				package demo;

				import org.junit.jupiter.api.Test;

				import static org.junit.jupiter.api.Assertions.assertEquals;

				class PricesTests {

					@Test
					void totalIsPriceTimesCount() {
						assertEquals(6, Prices.total(2, 3));
					}

				}
				""");
	}

	private static String plugins() throws IOException {
		String parent = Files.readString(Path.of("..", "pom.xml"));
		StringBuilder plugins = new StringBuilder();
		for (String name : List.of("resources", "compiler", "surefire")) {
			String plugin = "<artifactId>maven-" + name + "-plugin</artifactId>";
			Matcher version = Pattern.compile(plugin + "\\s*(<version>[^<]+</version>)").matcher(parent);
			assertThat(version.find()).as(plugin).isTrue();
			plugins.append("<plugin>").append(plugin).append(version.group(1));
			// tests run in the JVM of Maven
			plugins.append(name.equals("surefire") ? "<configuration><forkCount>0</forkCount></configuration>" : "");
			plugins.append("</plugin>");
		}
		return plugins.toString();
	}

}
