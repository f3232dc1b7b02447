package io.kairo.autoconfigure.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Compiles and runs a Spring Boot application by commands in bubblewrap: with a web
 * server on a random port, which it calls itself, and a database in memory and in a file.
 */
@Tag("bubblewrap")
@Timeout(300)
class SpringProjectTests {

	private static final HostUser NOBODY = new HostUser(65534, 65534);

	private static final boolean ROOT = System.getProperty("user.name").equals("root");

	private static final String APPLICATION = """
			package demo;

			import java.sql.DriverManager;

			import org.springframework.beans.factory.annotation.Value;
			import org.springframework.boot.SpringApplication;
			import org.springframework.boot.autoconfigure.SpringBootApplication;
			import org.springframework.web.bind.annotation.GetMapping;
			import org.springframework.web.bind.annotation.RestController;
			import org.springframework.web.client.RestClient;

			@SpringBootApplication
			@RestController
			public class Application {

				@Value("${database}")
				String database;

				@GetMapping("/")
				String answer() throws Exception {
					try (var connection = DriverManager.getConnection(this.database)) {
						return "answered by " + connection.getSchema();
					}
				}

				public static void main(String[] args) {
					try (var context = SpringApplication.run(Application.class, args)) {
						System.out.println(RestClient.create("http://localhost:"
							+ context.getEnvironment().getProperty("local.server.port")).get().uri("/").retrieve()
							.body(String.class));
					}
				}

			}
			""";

	@TempDir
	private Path temp;

	@Test
	void applicationWithServerAndDatabaseRuns() throws Exception {
		boolean required = List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("bubblewrap");
		Path java = Path.of(System.getProperty("java.home"), "bin");
		Files.setPosixFilePermissions(this.temp, PosixFilePermissions.fromString("rwx--x--x"));
		Path libraries = Files.createDirectory(this.temp.toRealPath().resolve("libraries"));
		copyLibraries(libraries);
		Path root = Files.createDirectory(this.temp.toRealPath().resolve("root"));
		if (ROOT) {
			Files.setAttribute(root, "unix:uid", NOBODY.uid(), LinkOption.NOFOLLOW_LINKS);
		}
		Files.writeString(root.resolve("Application.java"), APPLICATION);
		BubblewrapOptions options = BubblewrapOptions.DEFAULTS
			.with((changes) -> changes.commands((commands) -> commands.runAs(ROOT ? NOBODY : null)
				.readOnlyPaths(List.of(libraries, java.getParent()))));
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(options)) {
			assumeThat(required || sandbox.problem() == null).as("SKIPPED: " + sandbox.problem()).isTrue();
			String classPath = " -cp '" + libraries + "/*:out' ";
			assertThat(run(sandbox, root, java + "/javac -parameters -d out" + classPath + "Application.java"))
				.isEmpty();
			String application = java + "/java" + classPath + "demo.Application --server.port=0 --database=";
			assertThat(run(sandbox, root, application + "jdbc:h2:mem:a")).contains("answered by PUBLIC");
			// in the home directory of the session
			assertThat(run(sandbox, root, application + "'jdbc:h2:~/data'; ls ~")).contains("answered by PUBLIC",
					"data.mv.db");
		}
	}

	/**
	 * Copies the libraries of this test, without those that configure themselves
	 * otherwise.
	 */
	private static void copyLibraries(Path directory) throws IOException {
		List<Path> libraries = Stream.of(System.getProperty("java.class.path").split(":"))
			.map(Path::of)
			.filter((path) -> path.toString().endsWith(".jar")
					&& !path.getFileName().toString().matches("(kairo|langchain|mcp|spring-ai).*"))
			.toList();
		for (Path library : libraries) {
			Files.copy(library, directory.resolve(library.getFileName()));
		}
	}

	private static String run(BubblewrapSandbox sandbox, Path root, String command) {
		SandboxRequest request = new SandboxRequest.Builder(command, root).timeout(Duration.ofMinutes(2))
			.attributes(SandboxAttributes.builder().sessionId("session").redirectErrorStream(true).build())
			.build();
		try (SandboxHandle handle = sandbox.start(request)) {
			StringBuilder output = new StringBuilder();
			handle.output()
				.toIterable()
				.forEach((chunk) -> output.append(new String(chunk.data(), StandardCharsets.UTF_8)));
			assertThat(Objects.requireNonNull(handle.exit().block()).exitCode()).as(output.toString()).isZero();
			return output.toString();
		}
	}

}
