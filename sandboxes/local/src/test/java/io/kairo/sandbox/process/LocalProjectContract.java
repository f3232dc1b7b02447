package io.kairo.sandbox.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.tck.ProjectContract;
import io.kairo.sandbox.support.Executables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Also builds a project with Maven, whose local repository commands read.
 */
public abstract class LocalProjectContract extends ProjectContract {

	private static final Path REPOSITORY = Path.of(System.getProperty("localRepository", "/nonexistent"));

	private static final Path POM = Path.of("..", "..", "pom.xml");

	/**
	 * Returns a sandbox.
	 * @param readable further paths that commands read
	 */
	protected abstract ExecutionSandbox createSandbox(List<Path> readable);

	/**
	 * Returns whether commands can enter a directory of the user of the JVM.
	 */
	protected boolean canEnter(Path directory) throws IOException {
		return true;
	}

	@Override
	protected final ExecutionSandbox createSandbox() {
		return createSandbox(List.of());
	}

	@Test
	final void mavenProjectIsBuilt(@TempDir Path temporary) throws Exception {
		assumeThat(Executables.find("mvn")).as("SKIPPED: the program mvn").isNotNull();
		assumeThat(REPOSITORY).as("SKIPPED: the local repository of Maven").exists();
		Path repository = REPOSITORY.toRealPath();
		assumeThat(canEnter(repository)).as("SKIPPED: commands can read the local repository of Maven").isTrue();
		Path workspace = workspace(temporary);
		Files.writeString(workspace.resolve("pom.xml"), pom());
		String test = "MAVEN_OPTS='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' mvn -o -q -DargLine=-XX:TieredStopAtLevel=1"
				+ " -Dmaven.repo.local=" + repository + " test";
		ExecutionSandbox sandbox = createSandbox(List.of(repository));
		try {
			build(sandbox, workspace,
					List.of("mkdir -p src/test/java && echo 'class ATests { @org.junit.jupiter.api.Test void a()"
							+ " throws Exception { java.nio.file.Files.createTempFile(\"a\", \"b\"); } }'"
							+ " > src/test/java/ATests.java", test + "; [ -e target/surefire-reports/ATests.txt ]"));
		}
		finally {
			((AutoCloseable) sandbox).close();
		}
	}

	/**
	 * Returns a project with the plugins of this one, which the local repository has.
	 */
	private static String pom() throws IOException {
		String junit = Test.class.getPackage().getImplementationVersion();
		StringBuilder plugins = new StringBuilder();
		for (String plugin : List.of("maven-resources-plugin", "maven-compiler-plugin", "maven-surefire-plugin")) {
			plugins.append("<plugin><artifactId>%s</artifactId><version>%s</version></plugin>".formatted(plugin,
					version(plugin)));
		}
		return """
				<project xmlns="http://maven.apache.org/POM/4.0.0">
				<modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version>
				<properties><maven.compiler.release>17</maven.compiler.release></properties>
				<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter-engine</artifactId>
				<version>%s</version></dependency></dependencies>
				<build><plugins>%s</plugins></build></project>"""
			.formatted(junit, plugins);
	}

	private static String version(String plugin) throws IOException {
		Matcher matcher = Pattern.compile("<artifactId>" + plugin + "</artifactId>\\s*<version>([^<]+)")
			.matcher(Files.readString(POM));
		return matcher.find() ? matcher.group(1) : "the version of " + plugin + " is not in the pom";
	}

}
