package io.kairo.sandbox.remote;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.workspace.tck.FilledDisk;
import io.kairo.sandbox.remote.server.CopyOptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * A program whose worker copies directories to a small disk, or whose workspace is on
 * one, while that is full.
 */
final class FullDiskProgram {

	private static final int LARGE = 1_000_000;

	private FullDiskProgram() {
	}

	/**
	 * Runs the program.
	 * @param arguments the disk, and a directory on another one
	 * @throws Exception if the disk cannot be filled
	 */
	public static void main(String[] arguments) throws Exception {
		Path disk = Path.of(arguments[0]).toRealPath();
		Path elsewhere = Path.of(arguments[1]).toRealPath();
		worker(disk, Files.createDirectory(elsewhere.resolve("workspace")));
		client(Files.createDirectory(disk.resolve("workspace")), disk,
				Files.createDirectory(elsewhere.resolve("copies")));
	}

	private static void worker(Path disk, Path workspace) throws Exception {
		Files.write(workspace.resolve("large"), new byte[LARGE]);
		try (RemotePair pair = pair(Files.createDirectory(disk.resolve("copies")))) {
			for (int left : new int[] { 0, LARGE / 2, LARGE + LARGE / 2 }) {
				try (FilledDisk filled = FilledDisk.leavingBytes(disk, left)) {
					SandboxException failure = catchThrowableOfType(SandboxException.class,
							() -> run(pair, workspace, "wc -c < large"));
					assertThat(failure).as("%d bytes left", left)
						.hasMessageContaining("The directories cannot be copied: No space left on device");
				}
			}
			assertThat(run(pair, workspace, "wc -c < large")).isEqualTo("0 " + LARGE + "\n");
		}
	}

	private static void client(Path workspace, Path disk, Path copies) throws Exception {
		Files.writeString(workspace.resolve("large"), "kept");
		Files.writeString(workspace.resolve("small"), "kept");
		try (RemotePair pair = pair(copies)) {
			try (FilledDisk filled = FilledDisk.leavingBytes(disk, LARGE / 2)) {
				assertThat(run(pair, workspace, "head -c " + LARGE + " /dev/zero > large; echo changed > small"))
					.isEqualTo("0 kairo: large was not copied back: No space left on device\n");
			}
			assertThat(workspace.resolve("large")).hasContent("kept");
			assertThat(workspace.resolve("small")).hasContent("changed");
			assertThat(run(pair, workspace, "cat large; ls | wc -l")).isEqualTo("0 kept2\n");
		}
	}

	private static RemotePair pair(Path copies) {
		return RemotePair.copying((port) -> port,
				(options) -> options.withCopies(new CopyOptions(copies, 1 << 30, null)),
				(options) -> options.with((changes) -> changes.copies(new WorkspaceCopies(1 << 30, List.of()))
					.patience(Duration.ofMinutes(1))));
	}

	/**
	 * Returns the exit code of a command, and what it wrote.
	 */
	private static String run(RemotePair pair, Path workspace, String command) {
		try (SandboxHandle handle = pair.start(new SandboxRequest.Builder(command, workspace).build())) {
			StringBuilder output = new StringBuilder().append(Objects.requireNonNull(handle.exit().block()).exitCode())
				.append(' ');
			for (SandboxOutputChunk chunk : handle.output().toIterable()) {
				byte[] data = (chunk instanceof SandboxOutputChunk.Stdout out) ? out.data()
						: ((SandboxOutputChunk.Stderr) chunk).data();
				output.append(new String(data, StandardCharsets.UTF_8));
			}
			return output.toString().replace("\n\n", "\n");
		}
	}

}
