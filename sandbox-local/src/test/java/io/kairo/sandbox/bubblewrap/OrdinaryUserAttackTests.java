package io.kairo.sandbox.bubblewrap;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests that a {@link BubblewrapSandbox} of an ordinary user withstands the same attacks
 * as that of root. Runs only if the tests run as root.
 */
@RequiresBubblewrap
@Timeout(1200)
class OrdinaryUserAttackTests {

	@Test
	void attacksEndAsDeclaredForAnOrdinaryUser(@TempDir Path classes) throws Exception {
		assumeThat(JvmUser.isRoot()).as("SKIPPED: the tests run as an ordinary user already").isTrue();
		ProcessBuilder builder = new ProcessBuilder(
				HostEnvironment.ORDINARY_USER.wrap(ReadableClassPath.copy(classes).commandLine(AttackProgram.class)))
			.redirectErrorStream(true);
		builder.environment().put("KAIRO_SECRET", "for nobody else");
		Process process = builder.start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(output.lines().filter((line) -> line.startsWith("FAILED"))).isEmpty();
		assertThat(output).containsPattern("as declared: (\\d+) of \\1\n");
	}

}
