package io.kairo.tools;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for calls that need little memory in spite of hostile files, in a JVM with a
 * small heap.
 */
class SmallHeapTests {

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

	private void run(String heap, String scenario) throws Exception {
		Path output = this.directory.resolve("output");
		Process process = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx" + heap, "-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp", System.getProperty("java.class.path"),
				SmallHeapProgram.class.getName(), this.directory.toString(), scenario))
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
		catch (java.io.IOException ex) {
			return ex.toString();
		}
	}

}
