package io.kairo.sandbox.docker;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The processes of gVisor that run a container: the gofer opens the files of the host for
 * it, and the sandbox is its kernel. The mount namespace of the gofer consists of the
 * directories that the container can see, so its mount table lists them. The table can be
 * read where the processes of the machine of the engine are seen. Immutable.
 *
 * @param gofer the directory of the gofer in {@code /proc}
 * @param sandbox the directory of the sandbox in {@code /proc}
 * @param container the ID of the container
 */
record Gofer(Path gofer, Path sandbox, String container) {

	private static final Logger logger = System.getLogger(Gofer.class.getName());

	/**
	 * Finds the processes of a running container by their arguments. A command could
	 * imitate them, but not the user of the gofer, since none runs as root.
	 * @param container the ID of the container
	 * @throws UnprovenException if there are none, or this process may not examine them
	 */
	static Gofer of(String container) throws UnprovenException {
		return of(container, Path.of("/proc"));
	}

	/**
	 * Finds the processes of a running container.
	 * @param processes the directory with a directory for each process
	 */
	static Gofer of(String container, Path processes) throws UnprovenException {
		Path gofer = null;
		Path sandbox = null;
		try (DirectoryStream<Path> all = Files.newDirectoryStream(processes, "[0-9]*")) {
			for (Path process : all) {
				List<String> arguments = arguments(process);
				if (arguments.stream().noneMatch((argument) -> argument.contains(container))) {
					continue;
				}
				if (arguments.contains("gofer") && isOfRoot(process)) {
					gofer = process;
				}
				else if (arguments.contains("boot")) {
					sandbox = process;
				}
			}
		}
		catch (IOException ex) {
			throw new UnprovenException("the processes of this machine cannot be listed", ex);
		}
		if (gofer == null || sandbox == null) {
			throw new UnprovenException("this machine has no gofer process of a container that gVisor runs", null);
		}
		Gofer found = new Gofer(gofer, sandbox, container);
		found.table();
		return found;
	}

	/**
	 * Returns whether the container is shown directories of the host.
	 * @param lines consecutive fields of the mount table
	 */
	boolean shows(List<String> lines) {
		try {
			String table = table();
			// the ID of a process may have been given to another one
			return lines.stream().allMatch((line) -> table.contains(" " + line + " "))
					&& arguments(this.gofer).stream().anyMatch((argument) -> argument.contains(this.container));
		}
		catch (UnprovenException ex) {
			logger.log(Level.DEBUG, "The mounts of a container cannot be compared", ex);
			return false;
		}
	}

	/**
	 * Returns whether the sandbox is in the control group of the container. The limits of
	 * the group then apply to everything in the container.
	 * @param controller the name of the controller in version 1, such as {@code memory};
	 * version 2 has a single group for all of them
	 */
	boolean isLimited(String controller) {
		List<String[]> groups = read(this.sandbox.resolve("cgroup")).lines()
			.map((line) -> line.split(":", 3))
			.filter((group) -> group.length == 3)
			.toList();
		return groups.stream()
			.filter((group) -> Arrays.asList(group[1].split(",")).contains(controller))
			.findFirst()
			.or(() -> groups.stream().filter((group) -> group[1].isEmpty()).findFirst())
			.filter((group) -> group[2].contains(this.container))
			.isPresent();
	}

	private String table() throws UnprovenException {
		try {
			return new String(Files.readAllBytes(this.gofer.resolve("mountinfo")), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UnprovenException("the mount table of the gofer process cannot be read", ex);
		}
	}

	private static List<String> arguments(Path process) {
		return Arrays.asList(read(process.resolve("cmdline")).split("\0"));
	}

	private static boolean isOfRoot(Path process) {
		return read(process.resolve("status")).lines().anyMatch((line) -> line.matches("Uid:\\s+0\\s.*"));
	}

	/**
	 * Reads a file of a process; empty if it has ended.
	 */
	private static String read(Path file) {
		try {
			return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			return "";
		}
	}

	/**
	 * Thrown if the mounts of a container cannot be compared with the plan.
	 */
	static final class UnprovenException extends Exception {

		private static final long serialVersionUID = 1L;

		UnprovenException(String message, @Nullable Throwable cause) {
			super(message, cause);
		}

	}

}
