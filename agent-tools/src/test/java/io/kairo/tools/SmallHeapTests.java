package io.kairo.tools;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the memory of calls, each in a JVM with a small heap. Some of the calls that
 * the reference states are made only with {@code -Dkairo.stress=long}.
 */
class SmallHeapTests {

	private static final Path REFERENCE = Path.of("..", "docs", "reference", "tools.md");

	private static final Pattern ROW = Pattern.compile("\\| ([^|]+) \\| [^|]+ \\| (\\d+) × \\|");

	/** Heap of a JVM that has loaded the tools, in MiB. */
	private static final int BASE = 24;

	private static final boolean LONG = "long".equals(System.getProperty("kairo.stress"));

	private static final int MAX_EDITED = 64 << 20;

	@TempDir
	Path directory;

	@Test
	@Timeout(120)
	void editOfFileOfLineFeedsNeedsMemoryForItsBytesOnly() throws Exception {
		byte[] lines = "\n".repeat(MAX_EDITED).getBytes(StandardCharsets.US_ASCII);
		lines[0] = 'a';
		lines[MAX_EDITED - 1] = 'b';
		Files.write(this.directory.resolve("a.txt"), lines);
		run("400m", "edit");
	}

	@Test
	@Timeout(120)
	void replacementThatGrowsToGigabytesIsRefused() throws Exception {
		Files.writeString(this.directory.resolve("a.txt"), "ab".repeat(100_000));
		run("256m", "grow");
	}

	@Test
	@Timeout(120)
	void manyLongIgnoreFilesNeedBoundedMemory() throws Exception {
		Path nested = this.directory;
		for (int i = 0; i < 30; i++) {
			Files.writeString(nested.resolve(".gitignore"), "x\n".repeat(1 << 19));
			nested = Files.createDirectory(nested.resolve("d"));
		}
		Files.writeString(nested.resolve("a.txt"), "x");
		run("128m", "glob");
	}

	static Collection<WorstCall> calls() {
		return LONG ? EnumSet.allOf(WorstCall.class) : EnumSet.of(WorstCall.READ_FILE, WorstCall.EDIT, WorstCall.BASH);
	}

	@ParameterizedTest
	@MethodSource("calls")
	@Timeout(120)
	void callTakesNoMoreThanStated(WorstCall call) throws Exception {
		Path files = Files.createDirectory(this.directory.resolve("files"));
		call.prepare(files);
		int heap = BASE + multiples().get(call.row()) * (call.bound() >> 20);
		run(heap + "m", WorstCall.class, files, call.name());
	}

	@Test
	void everyStatedCallIsTested() throws IOException {
		assertThat(multiples().keySet()).containsAll(Stream.of(WorstCall.values()).map(WorstCall::row).toList());
		// tested where its module is
		assertThat(multiples().keySet()).hasSize(WorstCall.values().length + 1).contains("`Diff`");
	}

	private static Map<String, Integer> multiples() throws IOException {
		String page = Files.readString(REFERENCE);
		return ROW.matcher(page)
			.results()
			.collect(Collectors.toMap((row) -> row.group(1), (row) -> Integer.valueOf(row.group(2))));
	}

	private void run(String heap, String scenario) throws Exception {
		run(heap, SmallHeapProgram.class, this.directory, scenario);
	}

	private void run(String heap, Class<?> program, Path files, String scenario) throws Exception {
		Path output = this.directory.resolve("output");
		Process process = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx" + heap, "-Xmn6m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-cp",
				System.getProperty("java.class.path"), program.getName(), files.toString(), scenario))
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
			return ex.toString();
		}
	}

}
