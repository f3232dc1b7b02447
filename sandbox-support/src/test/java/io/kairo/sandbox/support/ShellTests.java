package io.kairo.sandbox.support;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Shell}.
 */
@Timeout(60)
class ShellTests {

	private static String run(Shell shell, String command) throws Exception {
		Process process = new ProcessBuilder(shell.arguments(command, null)).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		return output + process.waitFor();
	}

	@Test
	void aCommandIsAnArgumentOfItsOwn() {
		assertThat(Shell.posix("/bin/sh").arguments("echo 'a b'", null)).containsExactly("/bin/sh", "-c", "echo 'a b'");
	}

	@Test
	void theReportIsOnALineOfItsOwn() {
		assertThat(Shell.posix("/bin/sh").arguments("x", "/tmp/it's").get(2)).endsWith(" EXIT\nx")
			.startsWith("trap '{ pwd -P >| '\\''/tmp/it'\\''\\'\\'''\\''s'\\''; } 2>/dev/null'");
	}

	@Test
	void findsAShell() throws Exception {
		assertThat(run(Shell.find(), "echo hi; exit 3")).isEqualTo("hi\n3");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/bin/bash", "/bin/sh" })
	void writesInAsciiWhatThePlatformCannotEncode(String executable) throws Exception {
		Shell shell = new PosixShell(executable, List.of(StandardCharsets.US_ASCII));
		String command = "echo 'h\u00e9llo \u4e16\u754c \ud83d\ude00 100% \\n'\necho \"it's\"; (exit 4)";
		assertThat(shell.arguments(command, null).get(2)).matches("\\p{ASCII}*");
		String expected = run(Shell.posix(executable), command);
		assertThat(expected).contains("h\u00e9llo \u4e16\u754c \ud83d\ude00 100%").endsWith("\nit's\n4");
		assertThat(run(shell, command)).isEqualTo(expected);
	}

	@Test
	void aCommandWithANulIsRefused() {
		assertRefused("echo \0");
	}

	@ParameterizedTest
	@CsvSource({ "131071, true", "131072, false" })
	void aCommandIsAtMostWhatTheSystemTakes(int length, boolean possible) throws Exception {
		String command = "true " + "x".repeat(length - 5);
		if (possible) {
			assertThat(run(Shell.posix("/bin/sh"), command)).isEqualTo("0");
		}
		else {
			assertRefused(command);
		}
	}

	@Test
	void theLengthIsThatOfTheEncodedCommand() {
		assertRefused("true " + "\u4e16".repeat(44_000));
	}

	@Test
	void windowsHasAnInterpreterToo() {
		assertThat(new WindowsShell().arguments("dir", "C:\\report")).containsExactly("cmd.exe", "/d", "/c", "dir");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> new WindowsShell().arguments("x".repeat(8191), null));
	}

	private static void assertRefused(String command) {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> Shell.posix("/bin/sh").arguments(command, null))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.INVALID_COMMAND))
			.satisfies((ex) -> assertThat(ex.remedy()).isNotBlank());
	}

}
