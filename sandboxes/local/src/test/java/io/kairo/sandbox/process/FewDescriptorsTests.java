package io.kairo.sandbox.process;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a JVM that can open no more files, if it starts commands itself: after a
 * failed start, the Java platform may close descriptors of others.
 */
@EnabledOnOs(OS.LINUX)
@EnabledForJreRange(minVersion = 22)
class FewDescriptorsTests {

	@Test
	void commandRunsOrIsRefusedAndNothingIsLeft(@TempDir Path workspace) throws Exception {
		List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 256; exec \"$@\"", "sh"));
		command.addAll(JavaCommand.of(List.of(), FewDescriptorsProgram.class, workspace.toString()));
		Process jvm = new ProcessBuilder(command).redirectErrorStream(true).start();
		List<String> lines = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
		assertThat(lines).hasSize(23).endsWith("exit 0", "left: 0 descriptors, 0 processes", "finally exit 0");
		assertThat(lines.get(0)).startsWith("START_FAILED: ");
		assertThat(lines.subList(0, 21)).allMatch((line) -> line.equals("exit 0") || line.startsWith("START_FAILED: "));
		assertThat(jvm.waitFor()).isZero();
	}

}
