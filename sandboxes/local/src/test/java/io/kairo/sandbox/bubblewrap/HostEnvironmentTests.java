package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests sandboxes in different environments of an application: as an ordinary user,
 * without user namespaces, with a full disk, with a file system for temporary files from
 * which nothing can be executed, and as process 1.
 */
@RequiresBubblewrap
@Timeout(120)
class HostEnvironmentTests {

	@TempDir
	static Path classes;

	private static ReadableClassPath classPath;

	@TempDir
	Path directory;

	@BeforeAll
	static void copyClassPath() throws IOException {
		classPath = ReadableClassPath.copy(classes);
	}

	private List<String> run(HostEnvironment environment, String backend, String... commands) throws Exception {
		assumeThat(JvmUser.isRoot()).as("SKIPPED: only root can create the environments").isTrue();
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwxrwxrwx"));
		Path workspace = Files.createDirectory(this.directory.resolve("workspace"));
		Path temp = Files.createDirectory(this.directory.resolve("tmp"));
		Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxrwxrwx"));
		JvmUser.grantAccess(workspace);
		List<String> arguments = new ArrayList<>(
				List.of(backend, temp.resolve("state").toString(), workspace.toString()));
		arguments.addAll(List.of(commands));
		ProcessBuilder builder = new ProcessBuilder(
				environment.wrap(classPath.commandLine(BackendProbeProgram.class, arguments.toArray(String[]::new))))
			.redirectErrorStream(true);
		builder.environment().put("KAIRO_TMP", temp.toString());
		Process process = builder.start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
		return output.lines().toList();
	}

	@Test
	void bubblewrapWorksForAnOrdinaryUser() throws Exception {
		assertThat(run(HostEnvironment.ORDINARY_USER, "bubblewrap", "echo hi > x; cat x; exit 3"))
			.containsExactly("works", "3 3");
		assertThat(this.directory.resolve("workspace/x")).hasContent("hi\n");
	}

	@Test
	void bubblewrapIsUnavailableWithAReasonWithoutUserNamespaces() throws Exception {
		assertThat(run(HostEnvironment.NO_USER_NAMESPACES, "bubblewrap", "echo x")).hasSize(2)
			.startsWith("user_namespaces_forbidden")
			.last()
			.asString()
			.startsWith("BACKEND_UNAVAILABLE ")
			.contains("user_namespaces_forbidden", "max_user_namespaces");
	}

	@Test
	void processSandboxWorksWithoutUserNamespaces() throws Exception {
		assertThat(run(HostEnvironment.NO_USER_NAMESPACES, "process", "echo hi; exit 3"))
			.containsExactly("user_namespaces_forbidden", "3 3");
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "process" })
	void sandboxWorksIfTemporaryFilesCannotBeExecuted(String backend) throws Exception {
		assertThat(run(HostEnvironment.TMP_NOEXEC, backend, "echo hi", "yes | head -c 2000000"))
			.containsExactly("works", "0 3", "0 2000000");
	}

	@ParameterizedTest
	@ValueSource(strings = { "bubblewrap", "session" })
	void bubblewrapLeavesNoZombiesToProcess1(String backend) throws Exception {
		assertThat(run(HostEnvironment.PROCESS_1, backend, "echo hi; exit 3", "kill -TERM $$; echo no",
				"(sh -c 'exec >&2; sleep 0.1' &); echo hi", "nosuch 2>/dev/null", "sleep 60", "sleep 61 & sleep 60",
				"sleep 62", "sleep 63"))
			.containsExactly("works", "3 3", "143 0", "0 3", "127 0", "-1 0", "-1 0", "-1 0", "-1 0");
	}

	@Test
	void processSandboxCountsDiscardedOutputOnAFullDisk() throws Exception {
		assertThat(run(HostEnvironment.DISK_FULL, "process", "echo hi", "yes | head -c 2000000"))
			.contains("0 3", "0 2000000")
			.anyMatch((line) -> line.contains("Output is discarded because a file cannot be written"));
	}

	@Test
	void bubblewrapRunsOrRefusesTheCommandOnAFullDisk() throws Exception {
		assertThat(run(HostEnvironment.DISK_FULL, "bubblewrap", "echo hi")).hasSize(2)
			.last()
			.asString()
			.matches("0 3|START_FAILED .*|BACKEND_UNAVAILABLE .*");
	}

}
