package io.kairo.sandbox.bubblewrap;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MountArguments} with the mounts of this machine.
 */
@EnabledOnOs(OS.LINUX)
class MountArgumentsTests {

	private static final String PRINT = "echo \"ran ${kairo_mounts-unset} ${kairo_all-unset} ${kairo_one-unset}\"";

	private String run(boolean bash, List<String> plan) throws Exception {
		String shell = bash ? "/bin/bash" : "/bin/sh";
		ProcessBuilder builder = new ProcessBuilder(shell, "-c", MountArguments.verification(bash) + PRINT)
			.redirectErrorStream(true)
			.redirectInput(new File("/dev/null"));
		builder.environment().put(MountArguments.VARIABLE, String.join("  ", plan) + (plan.isEmpty() ? "" : "  "));
		Process process = builder.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		return process.waitFor() + " " + output;
	}

	private static List<String> mounted() throws Exception {
		return Files.readAllLines(Path.of("/proc/self/mountinfo"))
			.stream()
			.map((line) -> line.split(" "))
			.map((fields) -> String.join(" ", fields[2], fields[3], fields[4]))
			.toList();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void commandRunsWithoutThePlanInItsEnvironmentIfTheMountsMatch(boolean bash) throws Exception {
		assertThat(mounted()).isNotEmpty();
		assertThat(run(bash, mounted())).isEqualTo("0 ran unset unset unset\n");
		assertThat(run(bash, List.of())).isEqualTo("0 ran unset unset unset\n");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void commandDoesNotRunIfAMountDiffers(boolean bash) throws Exception {
		for (String line : mounted()) {
			for (String other : List.of("1" + line, line + "x", line.replace(" /", " /x"),
					line.replaceFirst(" .*", " *"))) {
				assertThat(run(bash, List.of(line, other, line))).as(other)
					.startsWith("125 ")
					.contains("was replaced")
					.doesNotContain("ran ");
			}
		}
	}

}
