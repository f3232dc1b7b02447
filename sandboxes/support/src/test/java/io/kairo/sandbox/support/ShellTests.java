package io.kairo.sandbox.support;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
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
		return run(shell.arguments(command, null));
	}

	private static String run(List<String> arguments) throws Exception {
		return run(arguments, System.getenv());
	}

	private static String run(List<String> arguments, Map<String, String> environment) throws Exception {
		ProcessBuilder builder = new ProcessBuilder(arguments).redirectErrorStream(true);
		builder.environment().clear();
		builder.environment().putAll(environment);
		Process process = builder.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		return output + process.waitFor();
	}

	@Test
	void commandIsPassedAsSingleArgument() {
		assertThat(Shell.posix("/bin/sh").arguments("echo 'a b'", null)).containsExactly("/bin/sh", "-c", "echo 'a b'");
	}

	@Test
	void commandIsSeparateArgumentFromDirectoryReport() {
		List<String> arguments = Shell.posix("/bin/sh").arguments("x", "/tmp/it's");
		assertThat(arguments.get(2)).contains("trap '{ pwd -P >| ", "/tmp/it").doesNotContain("\n");
		assertThat(arguments.subList(3, 6)).containsExactly("/bin/sh", "x", "\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "echo $LINENO\necho $LINENO; nosuch", "echo a\nif fi", "if fi", "exec sh -c 'exit 4'",
			"set -e; false; echo no", "cat <<X\nhi\nX", "return 3", "set -u; echo $nosuch", ": ${nosuch?missing}",
			"shopt -s expand_aliases\nalias x=echo\nx hi", "f() { nosuch; }; f", "echo \"unterminated", "# nothing",
			"trap 'echo mine' EXIT; exit 5", "echo $# \"$@\" $0", "echo a; kill -KILL $$", "false", "cd /; pwd; exit 7",
			"echo x | while read l; do exit 3; done", "set -- a b; echo $2; shift; echo $1",
			"echo \"$BASH_EXECUTION_STRING\"", "echo a\necho $(if)", "echo a; }", "echo ${x", "case x in",
			"cat <<X\n$(if)\nX", "echo a\\", "trap 'echo mine' EXIT; (exit 3)",
			"trap 'echo error' ERR; false; echo a; (exit 4)", "typeset -F", "shopt -s extglob\necho @(a|b)", "set -n",
			"kairo() { return 6; }; kairo", "set -eu; trap 'echo $?' EXIT; false" })
	void reportAndPreludeDoNotChangeOutcomeOfCommand(String command, @TempDir Path temp) throws Exception {
		Shell bash = Shell.posix("/bin/bash");
		String plain = run(bash.arguments(command, null));
		List<String> arguments = bash.arguments(command, temp.resolve("report").toString(), "true; ");
		assertThat(run(arguments)).isEqualTo(plain);
		assertThat(run(bash.arguments(command, null, "true; "))).isEqualTo(plain);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/bin/bash", "/bin/sh" })
	void syntaxErrorIsThatOfTheCommand(String executable) throws Exception {
		Shell shell = Shell.posix(executable);
		String command = "echo a\nif fi";
		assertThat(run(shell.arguments(command, null, "true; "))).isEqualTo(run(shell, command)).doesNotContain("eval");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '!',
			value = { "true ! true", "exit 3 ! true", "set -C ! true", "trap 'true' EXIT ! true",
					"trap 'cd /usr' EXIT; false ! true", "set -e; trap 'true' EXIT; false ! false",
					"trap 'true' EXIT; exit 3 ! false", "exec true ! false", "kill -KILL $$ ! false" })
	void lastDirectoryIsReportedUnlessTheShellEndsUnseen(String command, boolean reported, @TempDir Path temp)
			throws Exception {
		Path report = temp.resolve("report");
		run(Shell.posix("/bin/bash").arguments("cd /usr/bin; " + command, report.toString()));
		assertThat(Files.exists(report) ? Files.readString(report) : "").isEqualTo(reported ? "/usr/bin\n" : "");
	}

	@Test
	void commandThatLooksLikeOptionIsRunAsCommand() throws Exception {
		assertThat(run(Shell.posix("/bin/bash").arguments("-x", null, "true; "))).endsWith("127");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/bin/bash", "/bin/sh" })
	void preparedShellPassesSameEnvironmentToPrograms(String executable) throws Exception {
		Shell shell = Shell.posix(executable);
		Map<String, String> environment = new HashMap<>(Map.of("HOME", "/nowhere"));
		String prelude = shell.prepare(environment);
		assertThat(environment.containsKey("SHELL")).isEqualTo(shell.isBash());
		String command = "/usr/bin/env; test \"$SHELL\"";
		assertThat(run(shell.arguments(command, null, prelude), environment)).doesNotContain("SHELL=")
			.endsWith(shell.isBash() ? "0" : "1");
	}

	@Test
	void preparedShellPassesVariableThatWasThere() throws Exception {
		Shell shell = Shell.posix("/bin/bash");
		Map<String, String> environment = new HashMap<>(Map.of("SHELL", "/bin/mine"));
		assertThat(shell.prepare(environment)).isEmpty();
		assertThat(run(shell.arguments("/usr/bin/env", null, ""), environment)).contains("SHELL=/bin/mine\n");
	}

	@Test
	void findReturnsWorkingShell() throws Exception {
		assertThat(run(Shell.find(), "echo hi; exit 3")).isEqualTo("hi\n3");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/bin/bash", "/bin/sh" })
	void unencodableCharactersArePassedAsAsciiEscapes(String executable) throws Exception {
		Shell shell = new Shell.Posix(executable, List.of(StandardCharsets.US_ASCII));
		String command = "echo 'h\u00e9llo \u4e16\u754c \ud83d\ude00 100% \\n'\necho \"it's\"; (exit 4)";
		assertThat(shell.arguments(command, null).get(2)).matches("\\p{ASCII}*");
		String expected = run(Shell.posix(executable), command);
		assertThat(expected).contains("h\u00e9llo \u4e16\u754c \ud83d\ude00 100%").endsWith("\nit's\n4");
		assertThat(run(shell, command)).isEqualTo(expected);
	}

	@Test
	void commandWithNulCharacterIsRefused() {
		assertRefused("echo \0");
	}

	@ParameterizedTest
	@CsvSource({ "131071, true", "131072, false" })
	void commandBeyondMaximumArgumentLengthIsRefused(int length, boolean possible) throws Exception {
		String command = "true " + "x".repeat(length - 5);
		if (possible) {
			assertThat(run(Shell.posix("/bin/sh"), command)).isEqualTo("0");
		}
		else {
			assertRefused(command);
		}
	}

	@Test
	void commandLengthIsMeasuredInEncodedBytes() {
		assertRefused("true " + "\u4e16".repeat(44_000));
	}

	@Test
	void windowsShellUsesCmdAndRefusesLongCommand() {
		assertThat(new Shell.Windows().arguments("dir", "C:\\report")).containsExactly("cmd.exe", "/d", "/c", "dir");
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> new Shell.Windows().arguments("x".repeat(8191), null));
	}

	private static void assertRefused(String command) {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> Shell.posix("/bin/sh").arguments(command, null))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.INVALID_COMMAND))
			.satisfies((ex) -> assertThat(ex.remedy()).isNotBlank());
	}

}
