package io.kairo.governance.audit;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of an audit whose process is killed.
 */
class KilledAuditTests {

	private static final int ROUNDS = "long".equals(System.getProperty("kairo.stress")) ? 20 : 2;

	private static final int ID = 36;

	@TempDir
	private Path directory;

	@Test
	void recordsThatWereReportedAsWrittenSurvive() throws Exception {
		Random random = new Random(17);
		List<String> reported = new ArrayList<>();
		for (int round = 0; round < ROUNDS; round++) {
			int lines = 200 + random.nextInt(1000);
			reported.addAll(killAfter(lines));
			ChainReport report = new AuditFiles(this.directory).verify(new HashChain().named("file", "kairo"),
					Optional.empty());
			assertThat(report.findings()).as("round %d, %d lines", round, lines).isEmpty();
			assertThat(report.records()).isGreaterThanOrEqualTo(reported.size());
		}
		Set<String> written = new HashSet<>();
		for (Path file : new AuditFiles(this.directory).list()) {
			Collections.addAll(written, Files.readString(file).split("\""));
		}
		reported.removeAll(written);
		assertThat(reported).isEmpty();
	}

	private List<String> killAfter(int lines) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				KilledAuditProgram.class.getName(), this.directory.toString())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		List<String> reported = new ArrayList<>();
		try (BufferedReader out = process.inputReader()) {
			for (String line = out.readLine(); line != null; line = out.readLine()) {
				if (line.length() == ID) {
					reported.add(line);
				}
				if (reported.size() == lines) {
					process.toHandle().destroyForcibly();
				}
			}
		}
		assertThat(process.waitFor()).isEqualTo(137);
		assertThat(reported).hasSizeGreaterThanOrEqualTo(lines);
		return reported;
	}

}
