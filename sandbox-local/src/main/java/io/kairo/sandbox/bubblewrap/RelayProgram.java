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
 * What can hand the bytes of commands on to the proxy, the lighter first. It has to be a
 * program of the system: one of somebody's home directory is not there for the user of
 * commands.
 */
enum RelayProgram {

	/** Of Debian and its descendants an essential package. */
	PERL("perl", "-e", "relay.pl"),

	/** Of Fedora and its descendants a part of nearly every system. */
	PYTHON("python3", "-I -S -c", "relay.py");

	/** Where commands find the proxy: the port that proxies usually have. */
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
	 * Returns the first one of this machine.
	 * @return null if there is none
	 */
	static @Nullable RelayProgram find() {
		return Arrays.stream(values()).filter((relay) -> relay.path() != null).findFirst().orElse(null);
	}

	/**
	 * Returns the program.
	 * @return null if this machine does not have it
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
	 * Returns the arguments of a process that listens on {@link #PORT}, starts a child
	 * that hands on what comes there, and turns into another program.
	 * @param socket where the proxy listens
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
