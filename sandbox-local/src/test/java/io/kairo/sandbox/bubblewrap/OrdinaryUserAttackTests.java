package io.kairo.sandbox.bubblewrap;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests, where the tests run as root, what a {@link BubblewrapSandbox} of an ordinary
 * user holds against. It is the same as that of root.
 */
@RequiresBubblewrap
@Timeout(1200)
class OrdinaryUserAttackTests {

	@Test
	void everyAttackEndsAsDeclared(@TempDir Path classes) throws Exception {
		assumeThat(Machine.isRoot()).as("SKIPPED: the tests run as an ordinary user already").isTrue();
		ProcessBuilder builder = new ProcessBuilder(
				Surroundings.ORDINARY_USER.around(ReadableClassPath.copy(classes).java(RunAttacks.class)))
			.redirectErrorStream(true);
		builder.environment().put("KAIRO_SECRET", "for nobody else");
		Process process = builder.start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(output.lines().filter((line) -> line.startsWith("FAILED"))).isEmpty();
		assertThat(output).containsPattern("as declared: (\\d+) of \\1\n");
	}

}
