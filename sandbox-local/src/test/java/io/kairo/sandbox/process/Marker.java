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
 * A number of seconds that no other process sleeps, by which those of a test are found.
 */
final class Marker implements AutoCloseable {

	private final String seconds = "7" + ThreadLocalRandom.current().nextLong(10_000_000L, 100_000_000L);

	/**
	 * Returns a command with its arguments that takes very long.
	 */
	String sleep() {
		return "sleep " + this.seconds;
	}

	List<Long> survivors() {
		List<Long> found = new ArrayList<>();
		try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
			for (Path process : processes) {
				if (commandLine(process).contains("sleep\0" + this.seconds)) {
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
	 * Ends what a failed test has left.
	 */
	@Override
	public void close() {
		survivors().forEach((pid) -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
	}

}
