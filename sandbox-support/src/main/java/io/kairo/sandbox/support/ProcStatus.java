package io.kairo.sandbox.support;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What {@code /proc/<pid>/status} tells about a process, see proc_pid_status(5).
 */
final class ProcStatus {

	private ProcStatus() {
	}

	/**
	 * Returns the effective capabilities of a process.
	 * @return a bit for each; none if they are not known
	 */
	static BigInteger effectiveCapabilities(long pid) {
		return field(pid, "CapEff").map((hex) -> new BigInteger(hex, 16)).orElse(BigInteger.ZERO);
	}

	private static Optional<String> field(long pid, String name) {
		String prefix = name + ":\t";
		try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"), StandardCharsets.ISO_8859_1)) {
			return lines.filter((line) -> line.startsWith(prefix))
				.map((line) -> line.substring(prefix.length()))
				.findFirst();
		}
		catch (IOException ex) {
			return Optional.empty();
		}
	}

}
