package io.kairo.sandbox.support.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import io.kairo.linux.Spawn;

/**
 * A file that a process starts with, besides its standard streams. Opened with the
 * permissions of the JVM.
 *
 * @param number the number of the descriptor, from 3 to 9
 * @param path the file
 * @param written whether it is opened for writing: it is emptied then, or created
 */
public record InheritedFile(int number, Path path, boolean written) {

	/** Exit code of the shell if a file cannot be opened. */
	private static final int NOT_OPENED = 125;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if the number is not from 3 to 9
	 */
	public InheritedFile {
		Objects.requireNonNull(path, "path");
		if (number <= 2 || number > 9) {
			throw new IllegalArgumentException("The number of a descriptor is " + number
					+ ": it must be from 3 to 9, which every shell can redirect and which are no standard streams");
		}
	}

	void open(Spawn spawn) throws IOException {
		spawn.open(this.number, this.path, this.written);
	}

	/**
	 * Returns the command line of a shell that opens files, since the Java platform
	 * cannot, and then executes another program. Without {@code command}, a failing
	 * redirection of {@code exec} would end some shells before {@code || exit}: dash
	 * exits with 2 then.
	 */
	static List<String> shell(List<InheritedFile> files, List<String> arguments) {
		String redirections = files.stream().map(InheritedFile::redirection).collect(Collectors.joining(" "));
		List<String> all = new ArrayList<>(List.of("/bin/sh", "-c",
				"command exec " + redirections + " || exit " + NOT_OPENED + "; exec \"$@\"", "kairo"));
		all.addAll(arguments);
		return all;
	}

	private String redirection() {
		return this.number + (this.written ? ">" : "<") + ShellWord.quote(this.path.toString());
	}

}
