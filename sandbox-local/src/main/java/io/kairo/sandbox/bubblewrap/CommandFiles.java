package io.kairo.sandbox.bubblewrap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of one command, which bubblewrap and the JVM exchange.
 *
 * @param directory where they are
 */
record CommandFiles(Path directory) implements AutoCloseable {

	private static final Logger logger = System.getLogger(CommandFiles.class.getName());

	private static final Pattern CHILD = Pattern.compile("\"child-pid\": (\\d{1,18})");

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
		return read(status()).contains("\"exit-code\"");
	}

	/**
	 * Returns the first process of the outermost PID namespace, without which nothing of
	 * the command is alive.
	 * @return empty if it was not made
	 */
	OptionalLong firstProcess() {
		Path network = network();
		Matcher matcher = CHILD.matcher(read(Files.exists(network) ? network : status()));
		return matcher.find() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
	}

	@Override
	public void close() {
		try {
			Files.deleteIfExists(report());
			Files.deleteIfExists(arguments());
			Files.deleteIfExists(status());
			Files.deleteIfExists(socket());
			Files.deleteIfExists(network());
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

	private Path network() {
		return this.directory.resolve("network");
	}

	private static String read(Path file) {
		try {
			return Files.readString(file, StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			return "";
		}
	}

}
