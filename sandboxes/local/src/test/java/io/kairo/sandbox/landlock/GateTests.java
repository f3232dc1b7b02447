package io.kairo.sandbox.landlock;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Gate}.
 */
class GateTests {

	@ParameterizedTest
	@ValueSource(strings = { "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "GLIBC_TUNABLES", "MALLOC_TRACE", "BASH_ENV",
			"BASH_FUNC_read%%", "BASHOPTS", "SHELLOPTS", "ENV", "GCONV_PATH", "LOCPATH", "NLSPATH" })
	void variableThatMayRunSomethingEarlierNeedsAnotherShell(String name) {
		assertThat(Gate.fits(Map.of("PATH", "/bin", name, "value"))).isFalse();
	}

	@Test
	void shellWaitsItselfWithOrdinaryVariables() {
		assertThat(Gate.fits(Map.of("PATH", "/bin", "LANG", "C.UTF-8", "HOME", "/", "JAVA_HOME", "/usr"))).isTrue();
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void nothingRunsBeforeTheLine() throws Exception {
		ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", Gate.prelude(true) + "echo ran; cat");
		Process process = builder.redirectErrorStream(true).start();
		assertThat(process.waitFor(200, TimeUnit.MILLISECONDS)).isFalse();
		assertThat(process.getInputStream().available()).isZero();
		process.getOutputStream().write("\ntyped".getBytes(StandardCharsets.US_ASCII));
		process.getOutputStream().close();
		assertThat(process.getInputStream()).asString(StandardCharsets.US_ASCII).isEqualTo("ran\ntyped");
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void endOfInputInsteadOfTheLineRunsNothing() throws Exception {
		Process process = new ProcessBuilder("/bin/sh", "-c", Gate.prelude(false) + "echo ran").start();
		process.getOutputStream().close();
		assertThat(process.getInputStream()).asString(StandardCharsets.US_ASCII).isEmpty();
		assertThat(process.waitFor()).isEqualTo(125);
	}

}
