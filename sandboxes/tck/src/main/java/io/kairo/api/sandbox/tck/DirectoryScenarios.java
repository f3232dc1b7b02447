package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scenarios for the working directory and the visible directories of a command.
 */
abstract class DirectoryScenarios {

	abstract Trial trial();

	private Path workspace() {
		return trial().workspace();
	}

	@Test
	void commandStartsInTheWorkspaceAndWritesThere() {
		assertThat(trial().run("echo x > written; ls").out()).isEqualTo("written\n");
		assertThat(workspace().resolve("written")).hasContent("x\n");
	}

	@Test
	void commandStartsInTheWorkingDirectory() throws IOException {
		Path directory = Files.createDirectories(workspace().resolve("a/it's one"));
		UnaryOperator<SandboxRequest.Builder> changes = Trial
			.attributes((attributes) -> attributes.workingDirectory(directory));
		assertThat(trial().run("touch here; cd ..; ls", changes).out()).isEqualTo("it's one\n");
		assertThat(directory.resolve("here")).exists();
	}

	@Test
	void reportedLastDirectoryIsCorrect() throws IOException {
		Path directory = Files.createDirectory(workspace().resolve("sub"));
		try (SandboxHandle handle = trial().start("cd sub; false")) {
			assertThat(Trial.exit(handle).exitCode()).isEqualTo(1);
			assertThat(handle.workingDirectory()).isIn(null, directory.toRealPath());
		}
	}

	@Test
	void endOutsideOfTheWorkspaceIsReportedIfTheLastDirectoryIs() throws IOException {
		Files.createDirectory(workspace().resolve("sub"));
		boolean reported;
		try (SandboxHandle handle = trial().start("cd sub")) {
			Trial.exit(handle);
			reported = handle.workingDirectory() != null;
			assertThat(handle.endedOutside()).isFalse();
		}
		for (String outside : List.of("/", "/tmp", "/usr")) {
			try (SandboxHandle handle = trial().start("cd " + outside)) {
				Trial.exit(handle);
				Path last = handle.workingDirectory();
				assertThat(last).isNotEqualTo(workspace().toRealPath());
				assertThat(last != null || handle.endedOutside()).as(outside).isEqualTo(reported);
			}
		}
	}

	@Test
	void workspaceAppearsAtItsTargetOrTheRequestIsRefused() {
		UnaryOperator<SandboxRequest.Builder> changes = Trial
			.attributes((attributes) -> attributes.workspaceTarget("/kairo-workspace"));
		if (trial().claims(SandboxCapability.MOUNTS)) {
			assertThat(trial().run("pwd; echo x > /kairo-workspace/written", changes).out())
				.isEqualTo("/kairo-workspace\n");
			assertThat(workspace().resolve("written")).hasContent("x\n");
		}
		else {
			trial().assertRefusedForLackOf(SandboxCapability.MOUNTS, "touch written", changes);
			assertThat(workspace().resolve("written")).doesNotExist();
		}
	}

	@Test
	void mountAppearsAtItsTargetOrTheRequestIsRefused(@TempDir Path other) throws IOException {
		Files.writeString(other.resolve("kept"), "kept\n");
		UnaryOperator<SandboxRequest.Builder> changes = mount(new Mount(other, "/kairo-other", true));
		String command = "cat /kairo-other/kept; echo x > /kairo-other/written";
		if (trial().claims(SandboxCapability.MOUNTS)) {
			assertThat(trial().run(command, changes).out()).isEqualTo("kept\n");
			assertThat(other.resolve("written")).hasContent("x\n");
		}
		else {
			trial().assertRefusedForLackOf(SandboxCapability.MOUNTS, command, changes);
		}
	}

	@Test
	void mountAtItsOwnPathIsVisibleOrTheRequestIsRefused(@TempDir Path other) throws IOException {
		Files.writeString(other.resolve("kept"), "kept\n");
		UnaryOperator<SandboxRequest.Builder> changes = Trial
			.attributes((attributes) -> attributes.mounts(List.of(new Mount(other, true))).workingDirectory(other));
		try {
			Outcome outcome = trial().run("pwd; cat '" + other + "/kept'; echo x > '" + other + "/written'", changes);
			assertThat(outcome.out()).isEqualTo(other + "\nkept\n");
			assertThat(other.resolve("written")).hasContent("x\n");
		}
		catch (SandboxException ex) {
			assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST);
			assertThat(trial().claims(SandboxCapability.MOUNTS)).isFalse();
			// otherwise commands could not see the further roots of a workspace
			assertThat(trial().claims(SandboxCapability.FILE_CONFINEMENT)).isFalse();
		}
	}

	@Test
	void readOnlyMountIsEnforcedOrTheRequestIsRefused(@TempDir Path other) throws IOException {
		Files.writeString(other.resolve("kept"), "kept\n");
		String write = "echo x > '" + other + "/written'; rm -f '" + other + "/kept'";
		String command = "cat '" + other + "/kept'; mount -o remount,rw,bind '" + other + "'; umount -l '" + other
				+ "'; " + write;
		try {
			Outcome outcome = trial().run(command + "; echo ran; touch own", mount(new Mount(other, false)));
			assertThat(outcome.out()).isEqualTo("kept\nran\n");
			assertThat(workspace().resolve("own")).as("a file in the writable workspace").exists();
		}
		catch (SandboxException ex) {
			assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST);
			assertThat(trial().claims(SandboxCapability.MOUNTS)).isFalse();
		}
		assertThat(other.resolve("written")).doesNotExist();
		assertThat(other.resolve("kept")).hasContent("kept\n");
	}

	@Test
	void protectedPathsHoldOrTheRequestIsRefused() throws IOException {
		Files.createDirectories(workspace().resolve(".git/hooks"));
		Files.writeString(workspace().resolve(".git/hooks/kept"), "kept\n");
		UnaryOperator<SandboxRequest.Builder> changes = Trial
			.attributes((attributes) -> attributes.protectedPaths(List.of(".git/hooks")));
		String command = "echo x > .git/hooks/written; rm -rf .git/hooks; mv .git moved && mkdir -p .git/hooks"
				+ " && echo x > .git/hooks/written; echo ran; touch own";
		if (trial().claims(SandboxCapability.PROTECTED_PATHS)) {
			assertThat(trial().run(command, changes).out()).as("the attack").isEqualTo("ran\n");
			assertThat(workspace().resolve("own")).exists();
		}
		else {
			trial().assertRefusedForLackOf(SandboxCapability.PROTECTED_PATHS, command, changes);
		}
		assertThat(workspace().resolve(".git/hooks/written")).doesNotExist();
		assertThat(workspace().resolve(".git/hooks/kept")).hasContent("kept\n");
	}

	private static UnaryOperator<SandboxRequest.Builder> mount(Mount mount) {
		return Trial.attributes((attributes) -> attributes.mounts(List.of(mount)));
	}

	@Test
	void sessionKeepsItsMachineWhereProtectedPathsAreMissing() throws IOException {
		if (!trial().claims(SandboxCapability.PROTECTED_PATHS)) {
			trial().assertReason(SandboxCapability.PROTECTED_PATHS);
			return;
		}
		List<String> paths = List.of(".git/hooks", ".git/config", ".mcp.json");
		String kept = seenByTheSecondCommand("unprotected", List.of());
		assertThat(kept).isEqualTo(seenByTheSecondCommand("empty", paths));
		Files.createDirectories(workspace().resolve(".git/objects"));
		assertThat(kept).isEqualTo(seenByTheSecondCommand("repository", paths));
	}

	/**
	 * Returns what a session keeps from one command for the next one: the system that is
	 * running, and a file outside of the workspace.
	 */
	private String seenByTheSecondCommand(String session, List<String> protectedPaths) {
		UnaryOperator<SandboxRequest.Builder> changes = Trial
			.attributes((attributes) -> attributes.sessionId(session).protectedPaths(protectedPaths));
		String file = "\"${TMPDIR:-/tmp}/kairo-" + UUID.randomUUID() + "\"";
		String running = "cat /proc/sys/kernel/random/boot_id 2> /dev/null";
		String first = trial().run("echo file > " + file + "; " + running, changes).out();
		String second = trial().run("cat " + file + " 2> /dev/null; rm -f " + file + "; " + running, changes).out();
		return second.endsWith(first) ? "the same system, " + second.substring(0, second.length() - first.length())
				: "another system";
	}

}
