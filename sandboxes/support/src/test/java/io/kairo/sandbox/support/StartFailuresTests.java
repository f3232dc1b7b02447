package io.kairo.sandbox.support;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.api.sandbox.SandboxErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for failures to start a {@link LocalProcess}.
 */
class StartFailuresTests {

	@TempDir
	private Path temp;

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			error=7, Argument list too long                       | INVALID_ENVIRONMENT
			Exec failed, error: 7 (Argument list too long)        | INVALID_ENVIRONMENT
			error=11, Resource temporarily unavailable            | START_FAILED
			error=72, no such error                               | START_FAILED
			Exec failed, error: 71 (no such error)                | START_FAILED
			""")
	void errorNumberInMessageDeterminesCode(String message, SandboxErrorCode code) {
		assertThat(LocalProcess.startFailure(new IOException("Cannot run: " + message), this.temp).code())
			.isEqualTo(code);
	}

	@Test
	void missingDirectoryIsReportedAsInvalidDirectory() {
		Path missing = this.temp.resolve("missing");
		assertThatThrownBy(() -> LocalProcess.startFailure(new IOException("error=2, No such file"), missing))
			.hasFieldOrPropertyWithValue("code", SandboxErrorCode.INVALID_DIRECTORY)
			.hasMessageContaining(missing.toString());
	}

}
