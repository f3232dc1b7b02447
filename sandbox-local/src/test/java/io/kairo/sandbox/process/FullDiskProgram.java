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
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs commands that print much, with more and less space for that. Its disk is small.
 */
final class FullDiskProgram {

	private static final int PRINTED = 5_000_000;

	/** Ends with what bubblewrap ends with, too, where it fails itself. */
	private static final String COMMAND = "head -c " + PRINTED + " /dev/zero | tr '\\0' x; exit 1";

	private final Path disk;

	private final Path state;

	private final Path workspace;

	private final ExecutionSandbox sandbox;

	/** What cannot be done without any space: then a command is refused. */
	private final boolean needsSpaceToStart;

	private FullDiskProgram(Path disk, Path workspace, boolean confined) throws IOException {
		this.disk = disk;
		this.state = Files.createDirectory(disk.resolve("state"));
		this.workspace = workspace;
		this.sandbox = confined ? new BubblewrapSandbox(BubblewrapOptions.defaults().withDirectory(this.state))
				: new LocalProcessSandbox(LocalProcessSandboxOptions.defaults().withDirectory(this.state));
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
		assertThat(print("warming up")).isZero();
		Set<String> names = names();
		for (int kibibytes : List.of(0, 64, 512, 2048)) {
			String how = kibibytes + " KiB left";
			try (FilledDisk filled = FilledDisk.leavingBytes(this.disk, kibibytes * 1024L)) {
				assertIncomplete(how);
			}
			await().untilAsserted(() -> assertThat(names()).as("nothing is left behind, %s", how).isEqualTo(names));
			assertThat(print("space again after " + how)).isZero();
		}
		try (FilledDisk filled = FilledDisk.leavingNames(this.disk, 0)) {
			assertIncomplete("no names left");
		}
		await().untilAsserted(() -> assertThat(names()).as("nothing is left behind without names").isEqualTo(names));
		assertThat(print("names again")).isZero();
		((AutoCloseable) this.sandbox).close();
		assertThat(this.state).isEmptyDirectory();
	}

	private void assertIncomplete(String how) throws IOException {
		try {
			assertThat(print(how)).as("what was not kept, %s", how).isPositive();
		}
		catch (SandboxException ex) {
			assertThat(this.needsSpaceToStart).as("%s: %s", how, ex).isTrue();
			assertThat(ex.code()).isEqualTo(SandboxErrorCode.START_FAILED);
			assertThat(ex).rootCause().hasMessageContaining("No space left");
		}
	}

	/**
	 * Runs the command and returns how many bytes of its output were not kept.
	 */
	private long print(String how) {
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
			assertThat(errors.toString(StandardCharsets.UTF_8)).as(how).isEmpty();
			assertThat(exit).as(how).isNotNull();
			assertThat(exit.exitCode()).as("%s: %s", how, exit).isEqualTo(1);
			assertThat(output.size() + handle.discardedBytes()).as(how).isEqualTo(PRINTED);
			assertThat(output.toString(StandardCharsets.UTF_8)).as(how).matches("x{100000}x*");
			assertThat(handle.outputStorageFailed()).as(how).isEqualTo(handle.discardedBytes() > 0);
			assertThat(exit.truncated()).as(how).isEqualTo(handle.discardedBytes() > 0);
			return handle.discardedBytes();
		}
	}

	private Set<String> names() throws IOException {
		try (Stream<Path> below = Files.walk(this.state)) {
			return below.map(Path::toString).collect(Collectors.toCollection(TreeSet::new));
		}
	}

}
