package demo;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assumptions;

/**
 * The clients, installed from npm below {@code target}. Where they cannot be, tests are
 * skipped with the reason, unless the environment variable {@code KAIRO_REQUIRE} names
 * {@code clients}.
 */
final class NpmClients {

	private static final int INSTALL_MINUTES = 10;

	private static final int RUN_SECONDS = 120;

	private final Path directory;

	private NpmClients(Path directory) {
		this.directory = directory;
	}

	static NpmClients install() throws Exception {
		Path directory = Files.createDirectories(Path.of("target", "clients").toAbsolutePath());
		Path log = directory.resolve("npm.log");
		String problem;
		try {
			Process npm = new ProcessBuilder(Stream
				.concat(Stream.of("npm", "install", "--no-audit", "--no-fund", "--no-save", "--prefix",
						directory.toString()), Stream.of(Client.values()).map(Client::npmPackage))
				.toList()).redirectErrorStream(true).redirectOutput(log.toFile()).start();
			boolean ended = npm.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES);
			npm.destroyForcibly();
			problem = (ended && npm.exitValue() == 0) ? null
					: "npm cannot install the clients: " + Files.readString(log).strip();
		}
		catch (IOException ex) {
			problem = "npm is not installed: " + ex.getMessage();
		}
		if (problem != null) {
			if (List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("clients")) {
				throw new IllegalStateException(problem);
			}
			Assumptions.abort(problem);
		}
		return new NpmClients(directory);
	}

	/**
	 * Runs a client until it ends. It has a home of its own, and no way to another host.
	 * @return its output
	 */
	String run(Client client, Path home, String model, String server) throws Exception {
		client.configure(home, model, server);
		List<String> command = client.command(model, server);
		Path program = this.directory.resolve("node_modules/.bin").resolve(command.get(0));
		ProcessBuilder builder = new ProcessBuilder(
				Stream.concat(Stream.of(program.toString()), command.stream().skip(1)).toList());
		Path work = Files.createDirectories(home.resolve("work"));
		Path log = home.resolve("log");
		builder.environment().keySet().retainAll(List.of("PATH"));
		builder.environment().putAll(Map.of("HOME", home.toString(), "HTTP_PROXY", "http://127.0.0.1:9",
				"HTTPS_PROXY", "http://127.0.0.1:9", "NO_PROXY", "127.0.0.1,localhost"));
		client.environment(model)
			.forEach((name, value) -> builder.environment().put(name, value.replace("{home}", home.toString())));
		Process process = builder.directory(work.toFile())
			.redirectInput(new File("/dev/null"))
			.redirectErrorStream(true)
			.redirectOutput(Redirect.to(log.toFile()))
			.start();
		if (!process.waitFor(RUN_SECONDS, TimeUnit.SECONDS)) {
			process.descendants().forEach(ProcessHandle::destroyForcibly);
			process.destroyForcibly().waitFor();
		}
		return Files.readString(log);
	}

}
