package io.kairo.sandbox.process;

import java.util.ArrayList;
import java.util.List;

/**
 * Command lines of JVMs like this one, which may make system calls without a warning.
 */
public final class JavaCommand {

	private JavaCommand() {
	}

	/**
	 * Returns the command line of a JVM that runs a program of this class path.
	 * @param options options of the JVM
	 */
	public static List<String> of(List<String> options, Class<?> program, String... arguments) {
		List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow(),
				"--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
		command.addAll(options);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
		command.addAll(List.of(arguments));
		return command;
	}

}
