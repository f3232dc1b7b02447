package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scenarios for read-only commands. They cannot change the workspace or are refused.
 */
abstract class ReadOnlyScenarios {

	abstract Trial trial();

	@BeforeEach
	void fillWorkspace() throws IOException {
		Files.writeString(workspace().resolve("kept"), "kept\n");
		Files.createDirectory(workspace().resolve("directory"));
	}

	private static SandboxRequest.Builder readOnly(SandboxRequest.Builder request) {
		return request.readOnly(true);
	}

	private Path workspace() {
		return trial().workspace();
	}

	private boolean holds() {
		return trial().claims(SandboxCapability.READ_ONLY);
	}

	/**
	 * Returns commands that change a workspace. The test verifies each of them on a
	 * writable workspace.
	 */
	static Stream<String> writes() {
		return Stream.of("echo x > written", "echo x > \"$PWD/written\"", "sh -c 'echo x > written'",
				"awk 'BEGIN { print \"x\" > \"written\" }'", "cp kept written", "ln -s kept written", "mkdir written",
				"mkfifo written", "mv kept written", "cd directory && echo x > ../written", "ln kept written",
				"(cd /; echo x > \"$OLDPWD/written\")", "echo x > \"/proc/$$/cwd/written\"",
				"echo x > \"/proc/self/root/$PWD/written\"", "nohup sh -c 'echo x > written' >/dev/null 2>&1 & wait");
	}

	/**
	 * Returns commands that try to remove the protection first. The programs that they
	 * use may be missing.
	 */
	static Stream<String> escapes() {
		return Stream.of("mount -o remount,rw,bind \"$PWD\"; mount -o remount,rw \"$PWD\"",
				"umount \"$PWD\"; umount -l \"$PWD\"; cd \"$PWD\"", "mount -t tmpfs none \"$PWD\"; cd \"$PWD\"",
				"unshare -rm sh -c 'mount -o remount,rw,bind \"$PWD\"; umount -l \"$PWD\"; cd \"$PWD\"; echo x > written'",
				"unshare -m sh -c 'mount -o remount,rw,bind \"$PWD\"; echo x > written'",
				"unshare -Um sh -c 'mount -o remount,rw,bind \"$PWD\"; umount -l \"$PWD\"; echo x > \"$PWD/written\"'",
				"nsenter -t 1 -m sh -c \"echo x > '$PWD/written'\"",
				"nsenter -t $PPID -m sh -c \"echo x > '$PWD/written'\"", "echo x > \"/proc/1/root$PWD/written\"",
				"echo x > \"/proc/$PPID/root$PWD/written\"", "echo x > \"/proc/$PPID/cwd/written\"",
				"for p in /proc/[0-9]*; do echo x > \"$p/root$PWD/written\"; echo x > \"$p/cwd/written\"; done",
				"chmod -R a+rwx \"$PWD\"", "chroot /proc/1/root sh -c \"echo x > '$PWD/written'\"");
	}

	@ParameterizedTest
	@MethodSource("writes")
	void writeFails(String write) {
		if (!holds()) {
			assertRefused(write);
			return;
		}
		trial().run(write + "; echo ran", ReadOnlyScenarios::readOnly);
		assertUntouched();
		// a kernel in a process may keep a named pipe to itself
		String see = "; cd \"$here\"; test -e written -o -L written && echo seen";
		assertThat(trial().run("here=$PWD; " + write + see).out()).as("the same on a writable workspace")
			.endsWith("seen\n");
	}

	@ParameterizedTest
	@MethodSource("escapes")
	void escapeFails(String escape) {
		String command = "exec 2>/dev/null; " + escape + "; echo x > written; echo x > \"$PWD/written\"; echo ran";
		if (!holds()) {
			assertRefused(command);
			return;
		}
		Outcome outcome = trial().run(command, ReadOnlyScenarios::readOnly);
		assertThat(outcome.out()).as("the attack").endsWith("ran\n");
		assertUntouched();
	}

	/**
	 * The other command sees this workspace as well, and may write to it by its own
	 * mounts.
	 */
	@Test
	void otherReadOnlyCommandIsNoWayOut() {
		String command = "for p in /proc/[0-9]*; do echo x > \"$p/root$PWD/written\"; echo x > \"$p/cwd/../written\"; done"
				+ " 2>/dev/null; echo ran";
		if (!holds()) {
			assertRefused(command);
			return;
		}
		SandboxRequest.Builder other = new SandboxRequest.Builder("echo; sleep 60", workspace().resolve("directory"));
		try (SandboxHandle handle = trial().sandbox().start(readOnly(other).build())) {
			assertThat(handle.output().blockFirst(Duration.ofSeconds(30))).isNotNull();
			assertThat(trial().run(command, ReadOnlyScenarios::readOnly).out()).endsWith("ran\n");
		}
		assertUntouched();
	}

	@Test
	void removingAndChangingFilesFails() throws IOException {
		String command = "rm -rf kept directory; echo x >> kept; chmod 000 kept; : > kept; touch -d 2001-01-01 kept";
		if (!holds()) {
			assertRefused(command);
			return;
		}
		var modified = Files.getLastModifiedTime(workspace().resolve("kept"));
		assertThat(trial().run(command, ReadOnlyScenarios::readOnly).err()).isNotEmpty();
		assertUntouched();
		assertThat(workspace().resolve("kept")).hasContent("kept\n").isReadable();
		assertThat(Files.getLastModifiedTime(workspace().resolve("kept"))).isEqualTo(modified);
	}

	@Test
	void readOnlyCommandHasOutputEnvironmentAndExit() {
		if (!holds()) {
			assertRefused("cat kept");
			return;
		}
		Outcome outcome = trial().run("cat kept; cat - ; echo err >&2; echo $OWN; exit 3",
				(request) -> request.readOnly(true).env(Map.of("OWN", "mine")));
		assertThat(outcome.out()).isEqualTo("kept\nmine\n");
		assertThat(outcome.err()).isEqualTo("err\n");
		assertThat(outcome.exit()).isEqualTo(new SandboxExit(3, null, false, false));
		assertThat(trial().run("kill -KILL $$", ReadOnlyScenarios::readOnly).exit().signal()).isEqualTo("SIGKILL");
	}

	@Test
	void readOnlyCommandStartsInItsWorkingDirectory() {
		Path directory = workspace().resolve("directory");
		UnaryOperator<SandboxRequest.Builder> changes = (request) -> Trial
			.attributes((attributes) -> attributes.workingDirectory(directory))
			.apply(request.readOnly(true));
		if (!holds()) {
			trial().assertRefusedForLackOf(SandboxCapability.READ_ONLY, "pwd", changes);
			return;
		}
		assertThat(trial().run("pwd; echo x > written; cat ../kept", changes).out()).endsWith("directory\nkept\n");
		assertThat(directory).isEmptyDirectory();
	}

	@Test
	void cancelEndsTheProcessTreeOfAReadOnlyCommand() {
		Marker marker = trial().marker();
		String command = marker.in("trap '' TERM; (setsid sh -c '(%s &)' &); %s");
		if (!holds()) {
			assertRefused(command);
			return;
		}
		try (SandboxHandle handle = trial().start(command, ReadOnlyScenarios::readOnly)) {
			marker.awaitAlive(2);
			long started = System.nanoTime();
			handle.cancel();
			assertThat(Trial.exit(handle).signal()).isEqualTo(SandboxExit.CANCELLED);
			marker.assertNoneAlive();
			assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Trial.DEADLINE);
		}
	}

	@Test
	void concurrentWritableCommandIsNotAffected() {
		if (holds()) {
			try (SandboxHandle reading = trial().start("sleep 60", ReadOnlyScenarios::readOnly)) {
				assertThat(trial().run("echo x > written").exit().exitCode()).isZero();
				assertThat(reading.exit().toFuture()).isNotDone();
			}
		}
		else {
			assertRefused("true");
			assertThat(trial().run("echo x > written").exit().exitCode()).isZero();
		}
		assertThat(workspace().resolve("written")).hasContent("x\n");
	}

	private void assertRefused(String command) {
		trial().assertRefusedForLackOf(SandboxCapability.READ_ONLY, command, ReadOnlyScenarios::readOnly);
		assertUntouched();
	}

	private void assertUntouched() {
		assertThat(workspace().resolve("written")).doesNotExist();
		assertThat(workspace().resolve("kept")).hasContent("kept\n");
		assertThat(workspace().resolve("directory")).isEmptyDirectory();
	}

}
