package demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

import org.testcontainers.images.builder.ImageFromDockerfile;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The image of the sample application, built from its Dockerfile. Its base is made of the
 * packages and the JDK of this machine, since no registry is needed then.
 */
final class SampleImage {

	static final Path REPOSITORY = Path.of("..", "..", "..").toAbsolutePath().normalize();

	static final Path SAMPLE = REPOSITORY.resolve("sample-app");

	private static final String PACKAGES = "kairo-smoke-packages:latest";

	private static final String BASE = "kairo-smoke-base:latest";

	static final String NAME = "kairo-smoke-sample:latest";

	private SampleImage() {
	}

	/**
	 * Builds the image, with the files of its layers that the engine knows already.
	 */
	static void build() throws IOException, InterruptedException {
		try (Stream<Path> files = Files.list(Files.createDirectories(SAMPLE.resolve("target")))) {
			assertThat(files.filter((file) -> file.getFileName().toString().matches("kairo-sample-app-.*\\.jar")))
				.as("mvn -pl sample-app -am package makes the jar")
				.hasSize(1);
		}
		importPackages();
		new ImageFromDockerfile(BASE, false).withFileFromPath("jre", javaRuntime()).withFileFromString("Dockerfile", """
				FROM %s
				COPY jre /opt/java
				ENV PATH=/opt/java/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
				""".formatted(PACKAGES)).get();
		new ImageFromDockerfile(NAME, false).withDockerfile(SAMPLE.resolve("Dockerfile"))
			.withBuildArg("BASE", BASE)
			.withBuildArg("PACKAGES", "")
			.withBuildImageCmdModifier((command) -> command.withNetworkMode("none"))
			.get();
	}

	private static void importPackages() throws IOException, InterruptedException {
		Process process = new ProcessBuilder(REPOSITORY.resolve("sandboxes/docker/src/test/docker/test-image").toString(),
				PACKAGES, "bubblewrap", "libstdc++6", "zlib1g")
			.redirectErrorStream(true)
			.start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes());
		assertThat(process.waitFor()).as(output).isZero();
	}

	/**
	 * Links a Java runtime out of the JDK of this test, unless it exists already.
	 */
	private static Path javaRuntime() {
		Path runtime = Path.of("target", "jre-" + System.getProperty("java.version"));
		if (!Files.isExecutable(runtime.resolve("bin/java"))) {
			int code = ToolProvider.findFirst("jlink")
				.orElseThrow()
				.run(System.out, System.err, "--add-modules", "java.se,jdk.unsupported,jdk.crypto.ec,jdk.management,jdk.zipfs",
						"--strip-debug", "--no-header-files", "--no-man-pages", "--output", runtime.toString());
			assertThat(code).isZero();
		}
		try {
			return runtime.toRealPath();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
