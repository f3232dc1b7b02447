package io.kairo.benchmarks;

import java.io.IOException;
import java.io.InputStream;

/**
 * Commands as the JDK starts them, to compare with.
 */
final class Commands {

	private Commands() {
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
