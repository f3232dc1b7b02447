package io.kairo.mcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kairo.autoconfigure.ThisJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the memory of idle sessions, in a JVM with a small heap. In the long form,
 * with {@code -Dkairo.stress=long}, there are as many as a server admits by default.
 */
class ManySessionsTests {

	private static final int SESSIONS = "long".equals(System.getProperty("kairo.stress")) ? 10_000 : 300;

	@TempDir
	private Path workspace;

	@TempDir
	private Path state;

	@Test
	@Timeout(600)
	void idleSessionsFitInSmallHeap() throws Exception {
		Path output = this.state.resolve("output");
		List<String> command = new ArrayList<>(ThisJvm.command());
		command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				ManySessionsProgram.class.getName(), this.workspace.toString(), String.valueOf(SESSIONS),
				this.state.resolve("kairo").toString()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		try {
			boolean ended = process.waitFor(500, TimeUnit.SECONDS);
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
