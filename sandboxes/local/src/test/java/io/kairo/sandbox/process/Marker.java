package io.kairo.sandbox.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A unique number of seconds to sleep, which identifies the processes of a test.
 */
final class Marker implements AutoCloseable {

	private final String seconds = "7" + ThreadLocalRandom.current().nextLong(10_000_000L, 100_000_000L);

	/**
	 * Returns a command, with its arguments, that takes very long.
	 */
	String sleep() {
		return "sleep " + this.seconds;
	}

	/**
	 * Returns the IDs of the running processes.
	 */
	List<Long> alive() {
		return processes("sleep\0" + this.seconds);
	}

	/**
	 * Returns the IDs of the running processes with a text in their command line.
	 */
	static List<Long> processes(String text) {
		List<Long> found = new ArrayList<>();
		try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
			for (Path process : processes) {
				if (commandLine(process).contains(text)) {
					found.add(Long.parseLong(process.getFileName().toString()));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return found;
	}

	private static String commandLine(Path process) {
		try {
			return new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			return "";
		}
	}

	/**
	 * Ends the leftovers of a failed test.
	 */
	@Override
	public void close() {
		alive().forEach((pid) -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
	}

}
