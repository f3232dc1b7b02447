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

	/**
	 * Returns the processes with a text in their arguments or in their environment.
	 */
	static List<ProcessHandle> withMark(String mark) {
		return ProcessHandle.allProcesses()
			.filter((process) -> contains(process, "cmdline", mark) || contains(process, "environ", mark))
			.toList();
	}

	private static boolean contains(ProcessHandle process, String file, String mark) {
		try {
			byte[] content = Files.readAllBytes(Path.of("/proc", Long.toString(process.pid()), file));
			return new String(content, StandardCharsets.ISO_8859_1).contains(mark);
		}
		catch (IOException ex) {
			return false;
		}
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
