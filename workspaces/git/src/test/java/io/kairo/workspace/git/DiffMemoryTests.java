package io.kairo.workspace.git;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the memory of a comparison, which the reference of the tools states.
 */
class DiffMemoryTests {

	private static final Pattern ROW = Pattern.compile("\\| `Diff` \\| (\\d+) MiB \\| (\\d+) × \\|");

	/** Heap of a JVM that has loaded the library, in MiB. */
	private static final int BASE = 24;

	@TempDir
	private Path directory;

	@ParameterizedTest(name = "lines of {0} bytes")
	@ValueSource(ints = { 1, 4, 17, 8 << 20 })
	@Timeout(120)
	void comparisonTakesNoMoreThanStated(int lineLength) throws Exception {
		Matcher row = ROW.matcher(Files.readString(Path.of("..", "..", "docs", "reference", "tools.md")));
		assertThat(row.find()).isTrue();
		assertThat(Integer.parseInt(row.group(1)) << 20).isEqualTo(TreeDiff.MAX_TEXT_FILE);
		int heap = BASE + Integer.parseInt(row.group(1)) * Integer.parseInt(row.group(2));
		Path output = this.directory.resolve("output");
		Process process = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx" + heap + "m", "-Xmn6m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-cp",
				System.getProperty("java.class.path"), DiffMemoryProgram.class.getName(),
				this.directory.resolve("repository").toString(), String.valueOf(lineLength)))
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			boolean ended = process.waitFor(100, TimeUnit.SECONDS);
			assertThat(ended ? process.exitValue() : -1).as(() -> read(output)).isZero();
		}
		finally {
			process.destroyForcibly().waitFor();
		}
	}

	private static String read(Path output) {
		try {
			return Files.readString(output);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
