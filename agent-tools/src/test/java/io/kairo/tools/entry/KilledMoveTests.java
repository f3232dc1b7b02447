package io.kairo.tools.entry;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.FastTempDir;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests that a directory that is moved between file systems is whole in one place after
 * the JVM that moves it has been killed.
 */
class KilledMoveTests {

	private static final int FILES = 40;

	private static final int KILLS = Integer.getInteger("kairo.kill.rounds", 6) / 3;

	@TempDir(factory = FastTempDir.class)
	Path memory;

	@Test
	@Timeout(120)
	void killedMoveLeavesWholeDirectory() throws Exception {
		Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
		assumeThat(Files.getFileStore(target).name()).as("SKIPPED: there is no second file system")
			.isNotEqualTo(Files.getFileStore(this.memory).name());
		Path disk = Files.createTempDirectory(target, "moved");
		try {
			moveAndKill(disk);
		}
		finally {
			try (Stream<Path> left = Files.walk(disk)) {
				left.sorted((a, b) -> b.compareTo(a)).forEach((path) -> path.toFile().delete());
			}
		}
	}

	private void moveAndKill(Path disk) throws Exception {
		Path tree = Files.createDirectories(this.memory.resolve("tree"));
		for (int i = 0; i < FILES; i++) {
			Path file = tree.resolve("d" + i % 3 + "/f" + i);
			Files.createDirectories(file.getParent());
			Files.writeString(file, content(i));
		}
		Path state = Files.createDirectory(disk.resolve("state"));
		Path root = Files.createDirectory(disk.resolve("root"));
		Random random = new Random(1);
		int interrupted = 0;
		for (int kill = 0; kill < KILLS || (interrupted == 0 && kill < 10 * KILLS); kill++) {
			Path errors = disk.resolve("errors");
			Process process = new ProcessBuilder(
					List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
							"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
							KilledMoveTests.class.getName(), root.toString(), this.memory.toString(), state.toString()))
				.redirectError(errors.toFile())
				.start();
			try (BufferedReader output = process.inputReader()) {
				for (int i = random.nextInt(4); i >= 0; i--) {
					assertThat(output.readLine()).as(Files.readString(errors)).startsWith("Moved");
				}
				// the next move copies its files
				while (entries(root) + entries(this.memory) == 1) {
					assertThat(process.isAlive()).isTrue();
				}
				assertThat(process.waitFor(random.nextInt(5), TimeUnit.MILLISECONDS)).isFalse();
			}
			finally {
				process.destroyForcibly().waitFor();
			}
			interrupted += (entries(root) + entries(this.memory) > 1) ? 1 : 0;
			files(workspace(root, this.memory), state);
			assertThat(entries(root) + entries(this.memory)).as("kill %d: trees", kill).isOne();
			Path left = Files.exists(tree) ? tree : root.resolve("tree");
			for (int i = 0; i < FILES; i++) {
				assertThat(left.resolve("d" + i % 3 + "/f" + i)).as("kill %d", kill).hasContent(content(i));
			}
		}
		assertThat(interrupted).as("killed in the middle").isPositive();
	}

	private static String content(int number) {
		return (number + "\n").repeat(500);
	}

	private static long entries(Path directory) throws IOException {
		try (Stream<Path> entries = Files.list(directory)) {
			return entries.count();
		}
	}

	private static Workspace workspace(Path root, Path other) {
		return new LocalDirectoryWorkspaceProvider(root, List.of(other)).acquire(WorkspaceRequest.writable(null));
	}

	private static WorkspaceFiles files(Workspace workspace, Path state) {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withStateDirectory(state)).open(workspace);
	}

	/**
	 * Moves the tree to and fro in a JVM of its own until it is killed.
	 */
	public static void main(String[] arguments) {
		Path disk = Path.of(arguments[0], "tree");
		Path memory = Path.of(arguments[1], "tree");
		Workspace workspace = workspace(disk.getParent(), memory.getParent());
		ToolContext context = ToolContext.builder(workspace).files(files(workspace, Path.of(arguments[2]))).build();
		ToolCatalog catalog = ToolCatalog.of(List.of(new MoveTool()), List.of());
		while (true) {
			boolean back = Files.exists(disk);
			ToolResult result = catalog.call(new ToolCall("", "Move", Map.of("source",
					(back ? disk : memory).toString(), "destination", (back ? memory : disk).toString())), context);
			System.out.println(result.text());
		}
	}

}
