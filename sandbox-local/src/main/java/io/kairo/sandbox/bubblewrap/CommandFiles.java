package io.kairo.sandbox.bubblewrap;

import java.io.File;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The files of one command, which bubblewrap and the JVM exchange.
 *
 * @param directory where they are
 * @param report the file in which the shell leaves its last directory; the only one that
 * the command sees
 */
record CommandFiles(Path directory, Path report) implements AutoCloseable {

	private static final Logger logger = System.getLogger(CommandFiles.class.getName());

	private static final List<String> NAMES = List.of("args", "status", "proxy", "network");

	/**
	 * Returns where the proxy of the command listens, if it has one.
	 */
	Path socket() {
		return this.directory.resolve("proxy");
	}

	/**
	 * Writes the arguments, where no process list shows them.
	 */
	void writeArguments(List<String> arguments) throws IOException {
		String all = String.join("\0", arguments) + "\0";
		Files.write(arguments(), all.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Returns what bubblewrap says about the sandbox.
	 */
	BubblewrapStatus status() {
		return BubblewrapStatus.read(this.directory.resolve("status"));
	}

	/**
	 * Returns what is said about the outermost PID namespace, without which nothing of
	 * the command is alive: that of the network, if the command has one, else its own.
	 */
	BubblewrapStatus outermostStatus() {
		Path network = this.directory.resolve("network");
		return Files.exists(network) ? BubblewrapStatus.read(network) : status();
	}

	/**
	 * Removes them. Which of them there are depends on the command, and how far it came.
	 */
	@Override
	public void close() {
		for (String name : NAMES) {
			this.directory.resolve(name).toFile().delete();
		}
		this.report.toFile().delete();
		File emptied = this.directory.toFile();
		if (!emptied.delete() && emptied.exists()) {
			logger.log(Level.DEBUG, "The files of a command could not be removed");
		}
	}

	private Path arguments() {
		return this.directory.resolve("args");
	}

}
