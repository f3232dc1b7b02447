package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The processes of this machine.
 */
final class HostProcesses {

	private HostProcesses() {
	}

	static List<ProcessHandle> withArgument(String argument) {
		return ProcessHandle.allProcesses().filter((process) -> arguments(process).contains(argument)).toList();
	}

	private static List<String> arguments(ProcessHandle process) {
		Path file = Path.of("/proc", Long.toString(process.pid()), "cmdline");
		if (Files.exists(file)) {
			try {
				return Arrays.asList(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).split("\0"));
			}
			catch (IOException ex) {
				return List.of();
			}
		}
		return Arrays.asList(process.info().arguments().orElse(new String[0]));
	}

}
