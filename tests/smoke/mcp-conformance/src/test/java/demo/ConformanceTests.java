package demo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the server conforms to the protocol: every scenario of the suite passes
 * without a warning, except those of the baseline, which do not.
 */
class ConformanceTests {

	private static ConformanceSuite suite;

	@TempDir
	private Path directory;

	@BeforeAll
	static void install() throws Exception {
		suite = ConformanceSuite.install();
	}

	@ParameterizedTest
	@CsvSource({ "servlet, streamable", "reactive, streamable", "servlet, stateless" })
	void serverConforms(String type, String protocol) throws Exception {
		Files.createDirectory(this.directory.resolve("work"));
		Path baseline = Path.of("src/test/resources", "baseline-" + protocol + ".yml");
		try (ConfigurableApplicationContext server = SpringApplication.run(ConformanceServer.class,
				"--demo.directory=" + this.directory, "--spring.main.web-application-type=" + type,
				"--kairo.mcp.protocol=" + protocol)) {
			String port = server.getEnvironment().getRequiredProperty("local.server.port");
			ConformanceSuite.Outcome outcome = suite.run(type + "-" + protocol, "http://127.0.0.1:" + port + "/mcp",
					baseline);
			assertThat(outcome.exitCode())
				.as(() -> String.join("\n", outcome.problems()) + "\n" + String.join("\n", outcome.log()))
				.isZero();
			// the suite ignores entries that name no scenario
			assertThat(scenarios(baseline)).isNotEmpty().allMatch(outcome::hasFailed);
		}
	}

	private static List<String> scenarios(Path baseline) throws Exception {
		return Files.readAllLines(baseline)
			.stream()
			.filter((line) -> line.startsWith("  - "))
			.map((line) -> line.substring(4))
			.toList();
	}

}
