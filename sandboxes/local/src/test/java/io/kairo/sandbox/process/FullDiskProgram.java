package io.kairo.sandbox.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.workspace.tck.FilledDisk;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A program that runs commands with a large output on a small disk, which is filled to
 * different degrees.
 */
final class FullDiskProgram {

	private static final int PRINTED = 5_000_000;

	/** Exits with 1, which is also the exit code of bubblewrap when it fails itself. */
	private static final String COMMAND = "head -c " + PRINTED + " /dev/zero | tr '\\0' x; exit 1";

	private final Path disk;

	private final Path state;

	private final Path workspace;

	private final ExecutionSandbox sandbox;

	/** Whether a command is refused if no space is left at all. */
	private final boolean needsSpaceToStart;

	private FullDiskProgram(Path disk, Path workspace, boolean confined) throws IOException {
		this.disk = disk;
		this.state = Files.createDirectory(disk.resolve("state"));
		this.workspace = workspace;
		this.sandbox = confined
				? new BubblewrapSandbox(BubblewrapOptions.DEFAULTS
					.with((changes) -> changes.commands((commands) -> commands.directory(this.state))))
				: new LocalProcessSandbox(CommandSettings.DEFAULTS.with((commands) -> commands.directory(this.state)));
		this.needsSpaceToStart = confined;
	}

	public static void main(String[] arguments) throws Exception {
		Path workspace = Files.createTempDirectory("kairo-full-disk");
		try {
			new FullDiskProgram(Path.of(arguments[0]), workspace, arguments[1].equals("bubblewrap")).run();
		}
		finally {
			Files.delete(workspace);
		}
		System.exit(0);
	}

	private void run() throws Exception {
		assertThat(runAndCountDiscarded("warming up")).isZero();
		Set<String> stateFiles = stateFiles();
		for (int kibibytes : List.of(0, 64, 512, 2048)) {
			String description = kibibytes + " KiB left";
			try (FilledDisk filled = FilledDisk.leavingBytes(this.disk, kibibytes * 1024L)) {
				assertOutputIncomplete(description);
			}
			await().untilAsserted(() -> assertThat(stateFiles()).as("files in the state directory, %s", description)
				.isEqualTo(stateFiles));
			assertThat(runAndCountDiscarded("space again after " + description)).isZero();
		}
		try (FilledDisk filled = FilledDisk.leavingNames(this.disk, 0)) {
			assertOutputIncomplete("no names left");
		}
		await().untilAsserted(
				() -> assertThat(stateFiles()).as("files in the state directory without names").isEqualTo(stateFiles));
		assertThat(runAndCountDiscarded("names again")).isZero();
		((AutoCloseable) this.sandbox).close();
		assertThat(this.state).isEmptyDirectory();
	}

	private void assertOutputIncomplete(String description) throws IOException {
		try {
			assertThat(runAndCountDiscarded(description)).as("discarded bytes, %s", description).isPositive();
		}
		catch (SandboxException ex) {
			assertThat(this.needsSpaceToStart).as("%s: %s", description, ex).isTrue();
			assertThat(ex.code()).isEqualTo(SandboxErrorCode.START_FAILED);
			assertThat(ex).rootCause().hasMessageContaining("No space left");
		}
	}

	/**
	 * Runs the command and returns the number of bytes of its output that were discarded.
	 */
	private long runAndCountDiscarded(String description) {
		SandboxRequest request = new SandboxRequest.Builder(COMMAND, this.workspace).timeout(Duration.ofMinutes(2))
			.maxOutputBytes(4_000_000)
			.attributes(SandboxAttributes.builder().tailBytes(2_000_000).build())
			.build();
		try (SandboxHandle handle = this.sandbox.start(request)) {
			SandboxExit exit = handle.exit().block(Duration.ofMinutes(3));
			ByteArrayOutputStream output = new ByteArrayOutputStream();
			ByteArrayOutputStream errors = new ByteArrayOutputStream();
			for (SandboxOutputChunk chunk : handle.output().toIterable()) {
				((chunk instanceof SandboxOutputChunk.Stderr) ? errors : output).writeBytes(chunk.data());
			}
			assertThat(errors.toString(StandardCharsets.UTF_8)).as(description).isEmpty();
			assertThat(exit).as(description).isNotNull();
			assertThat(exit.exitCode()).as("%s: %s", description, exit).isEqualTo(1);
			assertThat(output.size() + handle.discardedBytes()).as(description).isEqualTo(PRINTED);
			assertThat(output.toString(StandardCharsets.UTF_8)).as(description).matches("x{100000}x*");
			assertThat(handle.outputStorageFailed()).as(description).isEqualTo(handle.discardedBytes() > 0);
			assertThat(exit.truncated()).as(description).isEqualTo(handle.discardedBytes() > 0);
			return handle.discardedBytes();
		}
	}

	private Set<String> stateFiles() throws IOException {
		try (Stream<Path> below = Files.walk(this.state)) {
			return below.map(Path::toString).collect(Collectors.toCollection(TreeSet::new));
		}
	}

}
