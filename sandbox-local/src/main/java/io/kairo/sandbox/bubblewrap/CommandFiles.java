package io.kairo.sandbox.bubblewrap;

import java.io.ByteArrayOutputStream;
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
 */
record CommandFiles(Path directory) implements AutoCloseable {

	private static final Logger logger = System.getLogger(CommandFiles.class.getName());

	/**
	 * Returns the file in which the shell leaves its last directory; the only one that
	 * the command sees.
	 */
	Path report() {
		return this.directory.resolve("report");
	}

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
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		for (String argument : arguments) {
			bytes.writeBytes(argument.getBytes(StandardCharsets.UTF_8));
			bytes.write(0);
		}
		Files.write(arguments(), bytes.toByteArray());
	}

	/**
	 * Returns whether bubblewrap says that the command ran and ended.
	 */
	boolean hasExitCode() {
		try {
			return Files.readString(status(), StandardCharsets.ISO_8859_1).contains("\"exit-code\"");
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Override
	public void close() {
		try {
			Files.deleteIfExists(report());
			Files.deleteIfExists(arguments());
			Files.deleteIfExists(status());
			Files.deleteIfExists(socket());
			Files.deleteIfExists(this.directory);
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "Files of a command could not be removed", ex);
		}
	}

	private Path arguments() {
		return this.directory.resolve("args");
	}

	private Path status() {
		return this.directory.resolve("status");
	}

}
