package io.kairo.sandbox.bubblewrap;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.process.JavaCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests a {@link BubblewrapSandbox} whose JVM is killed, or whose program is deleted or
 * replaced.
 */
@RequiresBubblewrap
@Timeout(180)
class BubblewrapFaultTests {

	private static final int COMMANDS = 50;

	@TempDir
	Path directory;

	private Path workspace() throws IOException {
		Path workspace = Files.createDirectories(this.directory.resolve("workspace"));
		JvmUser.grantAccess(workspace);
		return workspace;
	}

	private SandboxRequest request(String command) throws IOException {
		return new SandboxRequest.Builder(command, workspace()).build();
	}

	private Path copyBubblewrap() throws IOException {
		Path original = BubblewrapCheck.executable(JvmUser.bubblewrapOptions());
		Path copy = this.directory.resolve("bwrap");
		Files.copy(original, copy, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
		JvmUser.grantAccess(copy);
		return copy;
	}

	@Test
	void killOfTheJvmEndsFiftyCommands() throws Exception {
		String seconds = "8" + ThreadLocalRandom.current().nextLong(10_000_000L, 100_000_000L);
		Process jvm = new ProcessBuilder(JavaCommand.of(List.of(), ManyCommandsProgram.class, workspace().toString(),
				"(env -i setsid sh -c '(sleep %s &)' &); trap '' TERM; sleep %s".replace("%s", seconds),
				Integer.toString(COMMANDS)))
			.redirectErrorStream(true)
			.start();
		try (BufferedReader output = jvm.inputReader()) {
			assertThat(output.readLine()).isEqualTo("started");
			await().atMost(Duration.ofSeconds(100)).until(() -> alive(seconds) == 2 * COMMANDS);
			jvm.destroyForcibly().waitFor();
			await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(alive(seconds)).isZero());
		}
		finally {
			jvm.destroyForcibly().waitFor();
		}
	}

	/**
	 * Counts the sleeping processes, without the shells that have them in their command.
	 */
	private static long alive(String seconds) {
		return ProcessHandle.allProcesses().filter((process) -> {
			try {
				return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
					.equals("sleep\0" + seconds + "\0");
			}
			catch (IOException ex) {
				return false;
			}
		}).count();
	}

	@Test
	void commandOfSandboxThatCannotBeSetUpIsReportedAsNotRun() throws Exception {
		Path broken = workspace().resolve("broken");
		Path program = Files.writeString(workspace().resolve("bwrap"),
				"#!/bin/sh\n[ ! -e " + broken + " ] || { echo broken >&2; exit 1; }\nexec "
						+ BubblewrapCheck.executable(JvmUser.bubblewrapOptions()) + " \"$@\"\n");
		Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(
				JvmUser.bubblewrapOptions().with((changes) -> changes.executable(program)))) {
			assertThat(sandbox.problem()).isNull();
			Files.createFile(broken);
			try (SandboxHandle handle = sandbox.start(request("exit 1"))) {
				assertThat(handle.exit().block().signal()).isEqualTo(SandboxExit.NOT_RUN);
			}
			Files.delete(broken);
			try (SandboxHandle handle = sandbox.start(request("exit 125"))) {
				assertThat(handle.exit().block().signal()).isNull();
			}
		}
	}

	@Test
	void deletedProgramFailsNewCommandsAndNotRunningOnes() throws Exception {
		Path program = copyBubblewrap();
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(
				JvmUser.bubblewrapOptions().with((changes) -> changes.executable(program)));
				SandboxHandle running = sandbox.start(request("read x; echo $?; sleep 1; exit 7"))) {
			await().until(() -> running.output().blockFirst() != null);
			Files.delete(program);
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.start(request("true")))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE))
				.withMessageContaining("bwrap_missing");
			assertThat(running.exit().block().exitCode()).isEqualTo(7);
			copyBubblewrap();
			try (SandboxHandle handle = sandbox.start(request("exit 3"))) {
				assertThat(handle.exit().block().exitCode()).isEqualTo(3);
			}
		}
	}

	@Test
	void commandIsRefusedAfterBubblewrapIsReplacedByAnIneffectiveProgram() throws Exception {
		Path program = copyBubblewrap();
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(
				JvmUser.bubblewrapOptions().with((changes) -> changes.executable(program)))) {
			try (SandboxHandle handle = sandbox.start(request("exit 3"))) {
				assertThat(handle.exit().block().exitCode()).isEqualTo(3);
			}
			Path draft = Files.writeString(this.directory.resolve("draft"),
					"#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"\n");
			assertThat(draft.toFile().setExecutable(true, false)).isTrue();
			Files.move(draft, program, StandardCopyOption.REPLACE_EXISTING);
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.start(request("touch written")))
				.withMessageContaining("canary_failed");
			assertThat(workspace().resolve("written")).doesNotExist();
		}
	}

}
