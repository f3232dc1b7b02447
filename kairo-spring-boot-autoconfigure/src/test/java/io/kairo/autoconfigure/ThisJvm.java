package io.kairo.autoconfigure;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM of the tests, whose options make a short-lived program start fast. Programs
 * that tests start have the same.
 */
public final class ThisJvm {

	private ThisJvm() {
	}

	/**
	 * Returns the command of a JVM with the tuning of this one.
	 */
	public static List<String> command() {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		ManagementFactory.getRuntimeMXBean()
			.getInputArguments()
			.stream()
			.filter((option) -> option.startsWith("-XX:"))
			.forEach(command::add);
		return command;
	}

}
