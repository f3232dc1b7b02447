package io.kairo.sandbox.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the output of a command, 32 MiB or 1 GiB in the long form of the tests, is
 * processed with a heap of 32 MiB, whatever its shape, and with or without subscribers.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class OutputFloodTests {

	private static final int SIZE = StressLevel.select(1 << 25, 1 << 30);

	@ParameterizedTest
	@ValueSource(strings = { "yes | head -c %1$d", "head -c %1$d /dev/zero",
			"head -c %2$d /dev/zero & head -c %2$d /dev/zero >&2; wait" })
	void outputFloodFitsIntoASmallHeap(String shape, @TempDir Path temp) throws Exception {
		String command = String.format(shape, SIZE, SIZE / 2);
		long started = System.nanoTime();
		Process jvm = new ProcessBuilder(
				JavaCommand.of(List.of("-Xmx32m", "-Djava.io.tmpdir=" + temp), OutputFloodProgram.class, command))
			.redirectErrorStream(true)
			.start();
		String output = new String(jvm.getInputStream().readAllBytes());
		assertThat(jvm.waitFor(10, TimeUnit.SECONDS)).isTrue();
		assertThat(output.lines().filter((line) -> line.startsWith("result ")))
			.containsExactly("result 0 " + (SIZE - (1 << 20)) + " " + (1 << 20));
		assertThat(output).doesNotContain("OutOfMemoryError");
		assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofMinutes(2));
	}

}
