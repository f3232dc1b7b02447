package io.kairo.sandbox.bubblewrap;

import java.io.File;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.host.OwnerOnly;
import io.kairo.sandbox.support.process.InheritedFile;
import org.jspecify.annotations.Nullable;

/**
 * The files that bubblewrap and the JVM share for one command.
 *
 * @param directory the directory of the files that the command does not see
 * @param report the file for the last working directory of the shell; the only file that
 * the command sees
 */
record ControlFiles(Path directory, Path report) implements AutoCloseable {

	private static final Logger logger = System.getLogger(ControlFiles.class.getName());

	/** The descriptor with the arguments of bubblewrap. */
	static final int ARGUMENTS = 7;

	/** The descriptor that receives the status of the sandbox from bubblewrap. */
	static final int STATUS = 8;

	/** The descriptor with the system call filter for bubblewrap. */
	static final int FILTER = 9;

	/**
	 * The descriptor that bubblewrap reads one byte from before it runs the command: its
	 * standard input, opened again, since it closes the descriptor then.
	 */
	static final int GATE = 5;

	/** The descriptor for the status of the network, if the command has its own. */
	static final int NETWORK = 6;

	private static final Set<OpenOption> CREATE = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

	private static final Pattern BLANK = Pattern.compile(" ");

	private static final List<String> NAMES = List.of("args", "status", "proxy", "network");

	/**
	 * Returns the path of the socket of the command's proxy, if there is a proxy.
	 */
	Path socket() {
		return this.directory.resolve("proxy");
	}

	/**
	 * Returns the files that bubblewrap starts with.
	 * @param filter the file with the system call filter
	 * @param network whether the command has its own network
	 */
	List<InheritedFile> inherited(Path filter, boolean network) {
		List<InheritedFile> files = new ArrayList<>(List.of(new InheritedFile(ARGUMENTS, arguments(), false),
				inheritedStatus(), new InheritedFile(FILTER, filter, false),
				new InheritedFile(GATE, Path.of("/proc/self/fd/0"), false)));
		if (network) {
			files.add(new InheritedFile(NETWORK, networkFile(), true));
		}
		return files;
	}

	/**
	 * Returns the file that receives the status of the sandbox.
	 */
	InheritedFile inheritedStatus() {
		return new InheritedFile(STATUS, statusFile(), true);
	}

	/**
	 * Writes the arguments to a file of the JVM alone. They may contain secrets, and must
	 * not appear in a process list.
	 */
	void writeArguments(List<String> arguments) throws IOException {
		String all = String.join("\0", arguments) + "\0";
		try (WritableByteChannel file = Files.newByteChannel(arguments(), CREATE, OwnerOnly.file(arguments()))) {
			file.write(ByteBuffer.wrap(all.getBytes(StandardCharsets.UTF_8)));
		}
	}

	/**
	 * Returns the status of the sandbox.
	 */
	Status status() {
		return Status.read(statusFile());
	}

	/**
	 * Returns the status of the outermost PID namespace: the one of the network if the
	 * command has its own, else the one of the sandbox. Its end ends all processes of the
	 * command.
	 */
	Status outermostStatus() {
		Path network = networkFile();
		return Files.exists(network) ? Status.read(network) : status();
	}

	/**
	 * Returns the mount table of the sandbox. Bubblewrap completes it before it waits.
	 * @return the table with one character for each byte; null if it is not complete
	 */
	@Nullable String mountTable() {
		OptionalLong first = outermostStatus().firstProcess();
		return first.isPresent() ? mountTable(Long.toString(first.getAsLong())) : null;
	}

	private static @Nullable String mountTable(String pid) {
		try {
			String stat = Files.readString(Path.of("/proc", pid, "stat"), StandardCharsets.ISO_8859_1);
			if (stat.charAt(stat.lastIndexOf(')') + 2) != 'S') {
				// it does not wait yet, and reading the table delays its mounts
				return null;
			}
			String table = Files.readString(Path.of("/proc", pid, "mountinfo"), StandardCharsets.ISO_8859_1);
			if (table.contains(" " + Bubblewrap.REPORT + " ")) {
				return table;
			}
			// the sandbox is further in if the command has its own network
			String children = Files.readString(Path.of("/proc", pid, "task", pid, "children"));
			return BLANK.splitAsStream(children)
				.filter((child) -> !child.isEmpty())
				.map(ControlFiles::mountTable)
				.filter(Objects::nonNull)
				.findFirst()
				.orElse(null);
		}
		catch (IOException ex) {
			return null;
		}
	}

	/**
	 * Removes the files. Not every command creates all of them.
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

	private Path statusFile() {
		return this.directory.resolve("status");
	}

	private Path networkFile() {
		return this.directory.resolve("network");
	}

	/**
	 * The status that bubblewrap reports for a sandbox.
	 *
	 * @param firstProcess the id, on the host, of the first process of the PID namespace;
	 * empty if the namespace was not created
	 * @param exited whether the command ran and ended, and with it the namespace
	 */
	record Status(OptionalLong firstProcess, boolean exited) {

		private static final Pattern CHILD = Pattern.compile("\"child-pid\": (\\d{1,18})");

		/**
		 * Reads the status so far.
		 * @param file the status file; it need not exist
		 */
		static Status read(Path file) {
			String text;
			try {
				text = Files.readString(file, StandardCharsets.ISO_8859_1);
			}
			catch (IOException ex) {
				text = "";
			}
			Matcher child = CHILD.matcher(text);
			return new Status(child.find() ? OptionalLong.of(Long.parseLong(child.group(1))) : OptionalLong.empty(),
					text.contains("\"exit-code\""));
		}

	}

}
