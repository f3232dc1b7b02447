package io.kairo.sandbox.docker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests {@link DockerSandbox} with copies of workspaces.
 */
@RequiresDocker
class DockerCopyTests {

	private static final long MAX_BYTES = 1 << 20;

	private final ExecutionSandbox sandbox = TestContainers.sandbox(TestContainers.options()
		.with((changes) -> changes.workspaces(DockerOptions.Workspaces.COPY).maxCopyBytes(MAX_BYTES)));

	private final DockerEngine engine = new DockerEngine(TestContainers.options());

	@TempDir
	Path directory;

	private Path workspace = Path.of("");

	@BeforeEach
	void createWorkspace() throws IOException {
		this.workspace = Files.createDirectory(this.directory.toRealPath().resolve("workspace"));
	}

	@AfterEach
	void closeSandbox() throws Exception {
		((AutoCloseable) this.sandbox).close();
	}

	private SandboxRequest.Builder request(String command) {
		return new SandboxRequest.Builder(command, this.workspace);
	}

	private Run run(SandboxRequest.Builder request) {
		try (SandboxHandle handle = this.sandbox.start(request.build())) {
			SandboxExit exit = Objects.requireNonNull(handle.exit().block(Duration.ofMinutes(1)));
			StringBuilder out = new StringBuilder();
			StringBuilder err = new StringBuilder();
			for (SandboxOutputChunk chunk : handle.output().toIterable()) {
				((chunk instanceof SandboxOutputChunk.Stderr) ? err : out)
					.append(new String(chunk.data(), StandardCharsets.UTF_8));
			}
			return new Run(exit, out.toString(), err.toString());
		}
	}

	@Test
	void whatACommandChangesIsThereWhenItHasExited() throws Exception {
		Files.createDirectories(this.workspace.resolve("src/deep"));
		Files.writeString(this.workspace.resolve("src/deep/ä name"), "before\n");
		Files.writeString(this.workspace.resolve("removed"), "x");
		Files.createSymbolicLink(this.workspace.resolve("link"), Path.of("src"));
		Run run = run(request("cat 'link/deep/ä name'; echo after > 'src/deep/ä name'; rm removed; mkdir new; "
				+ "printf '#!/bin/sh\\necho ran' > new/run; chmod 755 new/run; ln -s run new/again; new/again; exit 3"));
		assertThat(run.exit().exitCode()).isEqualTo(3);
		assertThat(run.out()).isEqualTo("before\nran\n");
		assertThat(run.err()).isEmpty();
		assertThat(this.workspace.resolve("src/deep/ä name")).hasContent("after\n");
		assertThat(this.workspace.resolve("removed")).doesNotExist();
		assertThat(this.workspace.resolve("new/run")).isExecutable();
		assertThat(Files.readSymbolicLink(this.workspace.resolve("new/again"))).hasToString("run");
		assertThat(run(request("new/again")).out()).isEqualTo("ran\n");
	}

	@Test
	void capabilitiesTellOfCopies() {
		assertThat(this.sandbox.capabilities().has(SandboxCapability.FILE_CONFINEMENT)).isTrue();
		assertThat(this.sandbox.capabilities().reason(SandboxCapability.MOUNTS)).contains("copies");
	}

	@Test
	void changesOfACommandThatTimesOutAreCopiedBack() {
		Run run = run(request("echo x > written; sleep 60").timeout(Duration.ofSeconds(2)));
		assertThat(run.exit().timedOut()).isTrue();
		assertThat(this.workspace.resolve("written")).hasContent("x\n");
	}

	@Test
	void fileThatIsWrittenMeanwhileIsKeptAndTold() throws Exception {
		Files.writeString(this.workspace.resolve("both"), "before");
		try (SandboxHandle handle = this.sandbox
			.start(request("echo up; read line; echo command > both").attributes(stdin()).build())) {
			handle.output().next().block(Duration.ofSeconds(20));
			Files.writeString(this.workspace.resolve("both"), "tool");
			handle.stdin().write('\n');
			handle.stdin().close();
			handle.exit().block(Duration.ofSeconds(20));
			assertThat(this.workspace.resolve("both")).hasContent("tool");
			assertThat(
					new String(Objects.requireNonNull(handle.output().last().block()).data(), StandardCharsets.UTF_8))
				.isEqualTo("kairo: both was not copied back: it was changed in the meantime\n");
		}
	}

	private static SandboxAttributes stdin() {
		return SandboxAttributes.builder().stdin(true).build();
	}

	@Test
	void protectedAndHiddenFilesStayAsTheyAre() throws Exception {
		Files.createDirectories(this.workspace.resolve(".git/hooks"));
		Files.writeString(this.workspace.resolve(".git/hooks/kept"), "kept");
		SandboxRequest.Builder request = request(
				"echo evil > .git/hooks/kept; mv .git g; mkdir -p .git/hooks; echo evil > .git/hooks/kept; echo ran")
			.attributes(SandboxAttributes.builder().protectedPaths(List.of(".git/hooks")).build());
		Run run = run(request);
		assertThat(run.out()).isEqualTo("ran\n");
		assertThat(run.err()).contains("Permission denied");
		assertThat(this.workspace.resolve(".git/hooks/kept")).hasContent("kept");
	}

	@Test
	void workspaceThatIsTooLargeIsRefused() throws Exception {
		Files.write(this.workspace.resolve("large"), new byte[(int) MAX_BYTES + 1]);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> run(request("true")))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.SETUP_FAILED))
			.withMessageContaining("more than " + MAX_BYTES + " bytes");
		awaitNothing();
	}

	@Test
	void tooMuchIsNotCopiedBackAndTold() throws Exception {
		Files.writeString(this.workspace.resolve("kept"), "kept");
		Run run = run(request("rm kept; head -c 2000000 /dev/zero > large; truncate -s 1T sparse; mkfifo pipe"));
		assertThat(run.err()).contains("kairo: what the command changed was not or not completely copied back",
				"more than " + MAX_BYTES + " bytes");
		assertThat(this.workspace.resolve("kept")).hasContent("kept");
		assertThat(this.workspace.resolve("large")).doesNotExist();
		assertThat(this.workspace.resolve("sparse")).doesNotExist();
	}

	@Test
	void commandsAtTheSameTimeDoNotSeeEachOtherAndBothAreCopiedBack() throws IOException {
		List<SandboxHandle> handles = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			handles.add(this.sandbox.start(request("read line; ls; echo x > file" + i).attributes(stdin()).build()));
		}
		for (SandboxHandle handle : handles) {
			handle.stdin().write('\n');
			handle.stdin().close();
		}
		handles.forEach((handle) -> {
			handle.exit().block(Duration.ofSeconds(30));
			assertThat(handle.output().collectList().block()).isEmpty();
			handle.close();
		});
		assertThat(this.workspace).isDirectoryContaining("glob:**/file0")
			.isDirectoryContaining("glob:**/file1")
			.isDirectoryContaining("glob:**/file2");
	}

	@Test
	void containersAndVolumesEndWithTheCommand() throws Exception {
		try (SandboxHandle handle = this.sandbox.start(request("sleep 60").build())) {
			List<String> volumes = volumes();
			assertThat(volumes).hasSize(1);
			handle.cancel();
			handle.exit().block(Duration.ofSeconds(20));
			awaitNothing();
			awaitNoVolumes(volumes);
		}
	}

	@Test
	void containersAndVolumesEndWithTheJvm() throws Exception {
		if (TestContainers.isRoot()) {
			AccessGrantingSandbox.grantAccess(this.workspace, TestContainers.NOBODY.uid());
		}
		Process jvm = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-cp",
				System.getProperty("java.class.path"), StayingProgram.class.getName(), this.workspace.toString(),
				"(setsid sleep 60 &); sleep 60", "copies")
			.redirectErrorStream(true)
			.start();
		List<String> volumes = List.of();
		try (BufferedReader output = jvm.inputReader()) {
			assertThat(output.readLine()).isEqualTo("started");
			volumes = volumes();
			assertThat(volumes).hasSize(1);
		}
		finally {
			jvm.destroyForcibly().waitFor();
		}
		awaitNothing();
		awaitNoVolumes(volumes);
	}

	private void awaitNothing() {
		new WorkspaceContainers(this.engine, this.workspace).awaitNone();
	}

	/**
	 * Returns the names of the volumes of the containers of the workspace.
	 */
	private List<String> volumes() {
		return new WorkspaceContainers(this.engine, this.workspace).ids()
			.stream()
			.flatMap((container) -> this.engine.mounts(container).values().stream())
			.filter((source) -> source.endsWith("_data"))
			.map((source) -> String.valueOf(source.getParent().getFileName()))
			.toList();
	}

	private static void awaitNoVolumes(List<String> volumes) {
		await().atMost(Duration.ofSeconds(20)).until(() -> volumes.stream().noneMatch(DockerCopyTests::exists));
	}

	private static boolean exists(String volume) {
		try {
			return new ProcessBuilder("docker", "volume", "inspect", volume).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start()
				.waitFor() == 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A command that has ended.
	 */
	private record Run(SandboxExit exit, String out, String err) {

	}

}
