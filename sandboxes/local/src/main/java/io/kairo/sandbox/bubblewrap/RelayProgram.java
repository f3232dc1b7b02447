package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * An interpreter that can run the relay between commands and the proxy, the lighter one
 * first. It has to be installed system-wide, since the user that commands run as cannot
 * use a program in a home directory.
 */
enum RelayProgram {

	/** An essential package of Debian and its derivatives. */
	PERL("perl", "-e", "relay.pl"),

	/** Part of nearly every installation of Fedora and its derivatives. */
	PYTHON("python3", "-I -S -c", "relay.py");

	/** The port of the proxy in the sandbox, the usual one of proxies. */
	static final int PORT = 3128;

	private final String program;

	private final String options;

	private final String script;

	RelayProgram(String program, String options, String script) {
		this.program = program;
		this.options = options;
		this.script = script;
	}

	/**
	 * Returns the first interpreter that is installed.
	 * @return the interpreter, or null if none is installed
	 */
	static @Nullable RelayProgram find() {
		return Arrays.stream(values()).filter((relay) -> relay.path() != null).findFirst().orElse(null);
	}

	/**
	 * Returns the path of the program.
	 * @return the path, or null if the program is not installed
	 */
	@Nullable Path path() {
		for (String directory : List.of("/usr/bin", "/bin")) {
			Path path = Path.of(directory, this.program);
			if (Files.isExecutable(path)) {
				return path;
			}
		}
		return null;
	}

	/**
	 * Returns the command line of a process that listens on {@link #PORT}, starts a child
	 * that forwards the connections, and executes another program. The arguments of that
	 * program follow.
	 * @param socket the path of the socket of the proxy
	 */
	List<String> arguments(Path socket) {
		List<String> arguments = new ArrayList<>();
		arguments.add(Objects.requireNonNull(path(), this.program).toString());
		arguments.addAll(List.of(this.options.split(" ", -1)));
		arguments.addAll(List.of(script(), socket.toString(), Integer.toString(PORT)));
		return arguments;
	}

	private String script() {
		try (InputStream script = Objects.requireNonNull(RelayProgram.class.getResourceAsStream(this.script))) {
			return new String(script.readAllBytes(), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The relay cannot be read", ex);
		}
	}

}
