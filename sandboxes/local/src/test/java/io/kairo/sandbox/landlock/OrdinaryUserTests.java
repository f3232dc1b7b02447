package io.kairo.sandbox.landlock;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;

import io.kairo.host.HostUser;
import io.kairo.sandbox.bubblewrap.HostEnvironment;
import io.kairo.sandbox.bubblewrap.ReadableClassPath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Runs the tests that require an ordinary user as one, each class in a JVM of its own.
 * Runs only if the tests run as root.
 */
@Tag("landlock")
@Timeout(1200)
class OrdinaryUserTests {

	Class<?> tests() {
		return LandlockSandboxTests.class;
	}

	@Test
	void testsSucceedForAnOrdinaryUser(@TempDir Path directory) throws Exception {
		assumeThat(Objects.requireNonNull(HostUser.current()).uid())
			.as("SKIPPED: the tests run as an ordinary user already")
			.isZero();
		ProcessBuilder builder = new ProcessBuilder(HostEnvironment.ORDINARY_USER
			.wrap(ReadableClassPath.copy(directory).commandLine(TestProgram.class, tests().getName())))
			.redirectErrorStream(true);
		builder.environment().put("KAIRO_SECRET", "for nobody else");
		Process process = builder.start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(output).containsPattern("failed: 0, aborted: \\d+, succeeded: [1-9]");
	}

}
