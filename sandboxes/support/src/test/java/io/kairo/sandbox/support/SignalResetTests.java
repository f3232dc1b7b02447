package io.kairo.sandbox.support;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.output.OutputLog;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import sun.misc.Signal;
import sun.misc.SignalHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link SignalReset}.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class SignalResetTests {

	@TempDir
	private Path directory;

	@ParameterizedTest
	@CsvSource({ "HUP, 129", "INT, 130" })
	void processDoesNotIgnoreSignalThatTheJvmIgnores(String name, int exitCode) throws Exception {
		assumeThat(SignalReset.arguments()).as("SKIPPED: env of GNU is not installed").isNotEmpty();
		SignalHandler before = Signal.handle(new Signal(name), SignalHandler.SIG_IGN);
		try {
			ProcessSpec spec = new ProcessSpec(List.of("/bin/sh", "-c", "kill -" + name + " $$; exit 3"),
					this.directory, Map.of("PATH", "/usr/bin:/bin"), false, Duration.ZERO, null, null);
			LocalProcess process = LocalProcess.start(spec,
					new OutputLog(1000, 0, new PrivateDirectory(this.directory.resolve("log"))));
			assertThat(process.await().exitCode()).isEqualTo(exitCode);
			process.release();
		}
		finally {
			Signal.handle(new Signal(name), before);
		}
	}

}
