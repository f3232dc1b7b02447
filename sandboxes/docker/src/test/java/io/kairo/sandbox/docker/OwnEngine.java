package io.kairo.sandbox.docker;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import static org.awaitility.Awaitility.await;

/**
 * A Docker engine of a test, with its own data, in namespaces of its own for processes
 * and mounts. Whatever becomes of this JVM, nothing of it keeps running: the first
 * process there ends with its input, and everything else with it. Requires root.
 */
final class OwnEngine implements AutoCloseable {

	/** Obeys one line of its input after another, and answers each with a line. */
	private static final String PROGRAM = """
			mount -t tmpfs -o mode=755 tmpfs /run
			for each in subuid subgid; do mount --bind "$0/subids" /etc/$each; done
			while read -r order; do
				case $order in
					start) dockerd --config-file "$0/daemon.json" >> "$0/log" 2>&1 & daemon=$! ;;
					processes) echo $(ps -e -o comm= --sort comm | grep -v -e '^ps$' -e '^grep$' -e '^bash$') ;;
					*) kill -s "$order" "$daemon"; wait "$daemon" || true; echo "$?" ;;
				esac
			done
			""";

	private final Path home;

	private final Process first;

	private final BufferedWriter orders;

	private final BufferedReader answers;

	private OwnEngine(Path home) throws IOException {
		this.home = home;
		this.first = new ProcessBuilder("setsid", "unshare", "--mount", "--propagation", "slave", "--pid",
				"--mount-proc", "--fork", "--kill-child", "bash", "-c", PROGRAM, home.toString())
			.redirectError(home.resolve("errors").toFile())
			.start();
		this.orders = this.first.outputWriter(StandardCharsets.UTF_8);
		this.answers = this.first.inputReader(StandardCharsets.UTF_8);
	}

	/**
	 * Returns an engine that runs, without images.
	 * @param settings members of the JSON object of its configuration
	 */
	static OwnEngine start(String... settings) throws IOException {
		Path home = Files.createTempDirectory("kairo-engine",
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x")));
		Files.writeString(home.resolve("daemon.json"), """
				{
					"hosts": ["unix://%1$s/socket"],
					"data-root": "%1$s/data",
					"cgroup-parent": "/%2$s",
					"bridge": "none",
					"iptables": false,
					"ip-forward": false%3$s
				}
				""".formatted(home, home.getFileName(),
				Stream.of(settings).map((each) -> ",\n" + each).collect(Collectors.joining())));
		Files.writeString(home.resolve("subids"), "nobody:100000:65536\n");
		OwnEngine engine = new OwnEngine(home);
		engine.restart();
		return engine;
	}

	URI address() {
		return URI.create("unix://" + this.home.resolve("socket"));
	}

	/**
	 * Starts the daemon, and waits until it answers.
	 */
	void restart() throws IOException {
		order("start");
		await().atMost(Duration.ofMinutes(1)).until(() -> run(docker("version")) == 0);
	}

	/**
	 * Ends the daemon, and waits for that.
	 * @param signal the signal, such as TERM
	 */
	void end(String signal) throws IOException {
		order(signal);
		this.answers.readLine();
	}

	/**
	 * Returns the names of the processes of the engine and of its containers, of which
	 * those that every engine has are dockerd and containerd.
	 */
	List<String> processes() throws IOException {
		order("processes");
		return List.of(this.answers.readLine().split(" "));
	}

	/**
	 * Returns the containers that the engine has, with their states. One that is killed
	 * while it removes containers may list some afterwards that it does not have: it
	 * cannot show them, nor is anything left of them.
	 */
	List<String> containers() throws IOException {
		List<String> found = new ArrayList<>();
		for (String listed : lines("ps", "-aq", "--no-trunc")) {
			found.addAll(lines("container", "inspect", "-f", "{{.Id}} {{.State.Status}}", listed));
		}
		found.removeIf(String::isBlank);
		return found;
	}

	/**
	 * Returns the last warnings and errors in the log of the engine.
	 */
	String complaints() {
		try (Stream<String> lines = Files.lines(this.home.resolve("log"), StandardCharsets.UTF_8)) {
			List<String> found = lines.filter((each) -> each.matches(".*level=(warning|error|fatal).*")).toList();
			return String.join("\n", found.subList(Math.max(0, found.size() - 10), found.size()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the lines that the command line of Docker prints.
	 */
	List<String> lines(String... arguments) throws IOException {
		Process process = docker(arguments).start();
		return process.inputReader(StandardCharsets.UTF_8).lines().toList();
	}

	/**
	 * Copies an image from the engine of the other tests.
	 */
	void copyImage(String image) throws IOException {
		Path archive = this.home.resolve("image.tar");
		if (run(new ProcessBuilder("docker", "save", "-o", archive.toString(), image)) != 0
				|| run(docker("load", "-i", archive.toString())) != 0) {
			throw new IOException("The image " + image + " could not be copied");
		}
		Files.delete(archive);
	}

	private ProcessBuilder docker(String... arguments) {
		List<String> command = new ArrayList<>(List.of("docker", "-H", address().toString()));
		command.addAll(List.of(arguments));
		return new ProcessBuilder(command);
	}

	private static int run(ProcessBuilder command) throws IOException {
		try {
			return command.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start()
				.waitFor();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException(ex);
		}
	}

	private void order(String order) throws IOException {
		this.orders.write(order + "\n");
		this.orders.flush();
	}

	@Override
	public void close() throws Exception {
		this.orders.close();
		this.first.waitFor();
		String name = this.home.getFileName().toString();
		for (Path parent : List.of(Path.of("/sys/fs/cgroup"), this.home)) {
			for (Path path : below(parent)) {
				if (path.startsWith(this.home) || (Files.isDirectory(path) && path.toString().contains(name))) {
					Files.deleteIfExists(path);
				}
			}
		}
	}

	/**
	 * Returns the files and directories, those below a directory before it.
	 */
	private static List<Path> below(Path directory) throws IOException {
		List<Path> found = new ArrayList<>();
		Files.walkFileTree(directory, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
				found.add(file);
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFileFailed(Path file, IOException ex) {
				// control groups of others vanish
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException ex) {
				found.add(visited);
				return FileVisitResult.CONTINUE;
			}

		});
		return found;
	}

}
