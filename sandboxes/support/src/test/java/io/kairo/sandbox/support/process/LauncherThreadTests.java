package io.kairo.sandbox.support.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LauncherThread}.
 */
@EnabledOnOs(OS.LINUX)
class LauncherThreadTests {

	@TempDir
	Path directory;

	private ProcessBuilder shell(String script) {
		ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", script).directory(this.directory.toFile())
			.redirectInput(new File("/dev/null"));
		builder.environment().clear();
		builder.environment().put("PATH", "/usr/bin:/bin");
		return builder;
	}

	private static String output(Process process) throws Exception {
		assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process instanceof NativeProcess direct) {
			direct.close();
		}
		return output;
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void processInheritsFiles(boolean nativeCalls) throws Exception {
		Path read = Files.writeString(this.directory.resolve("it's to be read"), "given");
		Path written = this.directory.resolve("written");
		List<InheritedFile> files = List.of(new InheritedFile(7, read, false), new InheritedFile(8, written, true));
		try (LauncherThread launcher = new LauncherThread("test", nativeCalls)) {
			assertThat(output(launcher.opening(files).launch(shell("cat <&7 >&8; echo $?")))).isEqualTo("0\n");
			assertThat(written).hasContent("given");
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void processWhoseFileCannotBeOpenedIsNotRun(boolean nativeCalls) throws Exception {
		InheritedFile missing = new InheritedFile(7, this.directory.resolve("missing"), false);
		try (LauncherThread launcher = new LauncherThread("test", nativeCalls)) {
			ProcessLauncher opening = launcher.opening(List.of(missing));
			ProcessBuilder builder = shell("touch run");
			if (launcher.isDirect()) {
				assertThatExceptionOfType(IOException.class).isThrownBy(() -> opening.launch(builder));
			}
			else {
				Process process = opening.launch(builder);
				output(process);
				assertThat(process.exitValue()).isEqualTo(125);
			}
			assertThat(this.directory.resolve("run")).doesNotExist();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void directlyStartedProcessCannotGainPrivileges(boolean nativeCalls) throws Exception {
		try (LauncherThread launcher = new LauncherThread("test", nativeCalls)) {
			String status = output(launcher.opening(List.of()).launch(shell("grep NoNewPrivs: /proc/self/status")));
			assertThat(status).isEqualTo("NoNewPrivs:\t" + (launcher.isDirect() ? 1 : 0) + "\n");
			assertThat(Files.readString(Path.of("/proc/thread-self/status"))).contains("NoNewPrivs:\t0\n");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 2, 10 })
	void numberOfADescriptorIsLimited(int number) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new InheritedFile(number, this.directory.resolve("file"), false))
			.withMessageContaining("is " + number);
	}

}
