package io.kairo.workspace.local.path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PathSyntax}.
 */
class PathSyntaxTests {

	@ParameterizedTest
	@ValueSource(strings = { "CON", "con", "NUL.txt", "nul .tar.gz", "Aux", "prn.", "COM1", "lpt9.log", "COM\u00b9",
			"CONIN$", "conout$" })
	void isWindowsDeviceReturnsTrueForDevices(String name) {
		assertThat(PathSyntax.isWindowsDevice(name)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "CONSOLE", "x.NUL", "COM", "COM10", "nul-1", "icon", "LPT", ".con", "auxiliary.h" })
	void isWindowsDeviceReturnsFalseForSimilarNames(String name) {
		assertThat(PathSyntax.isWindowsDevice(name)).isFalse();
	}

}
