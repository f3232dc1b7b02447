package io.kairo.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Commands as the JDK starts them, for anchors.
 */
final class Commands {

	private Commands() {
	}

	/**
	 * Checks that a program is installed.
	 * @throws NotMeasuredException if it is not
	 */
	static void require(String program) throws NotMeasuredException {
		if (Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.noneMatch((directory) -> Files.isExecutable(Path.of(directory, program)))) {
			throw new NotMeasuredException("`" + program + "` is not installed");
		}
	}

	/**
	 * Runs a command, reads its output to the end and waits for it.
	 * @return the number of lines it printed
	 * @throws IllegalStateException if it failed
	 */
	static long countLines(String... command) throws IOException, InterruptedException {
		Process process = start(command);
		long lines = countLines(process.getInputStream());
		check(process, command);
		return lines;
	}

	/**
	 * Runs a command in a directory and returns its output.
	 */
	static byte[] output(Path directory, String... command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(command).directory(directory.toFile())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		process.getOutputStream().close();
		byte[] output = process.getInputStream().readAllBytes();
		process.waitFor();
		return output;
	}

	/**
	 * Returns the number of files of a tree that are not empty, except those of Git.
	 */
	static long countFiles(Path tree) throws IOException, InterruptedException {
		return countLines("find", tree.toString(), "-name", ".git", "-prune", "-o", "-type", "f", "-size", "+0",
				"-print");
	}

	static Process start(String... command) throws IOException {
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
		process.getOutputStream().close();
		return process;
	}

	static void check(Process process, String... command) throws InterruptedException {
		int exit = process.waitFor();
		if (exit != 0) {
			throw new IllegalStateException("'" + String.join(" ", command) + "' ended with " + exit);
		}
	}

	static long countLines(InputStream input) throws IOException {
		byte[] buffer = new byte[65536];
		long lines = 0;
		for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
			for (int i = 0; i < read; i++) {
				if (buffer[i] == '\n') {
					lines++;
				}
			}
		}
		return lines;
	}

}
