package io.kairo.tools.edit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.FileToolsFixture;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a patch over many files is applied as a whole or not at all, after the JVM
 * that applies it has been killed.
 */
class KilledPatchTests {

	private static final int FILES = 20;

	private static final int KILLS = Integer.getInteger("kairo.kill.rounds", 6) / 3;

	@Test
	@Timeout(300)
	void killedPatchLeavesAllOrNothing(@TempDir Path directory) throws Exception {
		Path root = Files.createDirectory(directory.resolve("root"));
		Path state = directory.resolve("state");
		for (int i = 0; i < FILES; i++) {
			Files.writeString(root.resolve("f" + i), "patch 0\n");
		}
		Random random = new Random(1);
		int interrupted = 0;
		for (int kill = 0; kill < KILLS; kill++) {
			Process process = new ProcessBuilder(
					List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
							"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
							KilledPatchTests.class.getName(), root.toString(), state.toString()))
				.redirectError(directory.resolve("errors").toFile())
				.start();
			try (BufferedReader output = process.inputReader()) {
				for (int i = random.nextInt(3); i >= 0; i--) {
					assertThat(output.readLine()).as(Files.readString(directory.resolve("errors"))).startsWith("patch");
				}
				// the next patch writes its files
				while (count(root) == FILES) {
					assertThat(process.isAlive() && !Thread.currentThread().isInterrupted()).isTrue();
				}
				assertThat(process.waitFor(random.nextInt(5), TimeUnit.MILLISECONDS)).isFalse();
			}
			finally {
				process.destroyForcibly().waitFor();
			}
			interrupted += (count(root) > FILES) ? 1 : 0;
			files(root, state);
			Set<String> contents = new HashSet<>();
			for (int i = 0; i < FILES; i++) {
				contents.add(Files.readString(root.resolve("f" + i)));
			}
			assertThat(contents).as("kill %d", kill).hasSize(1);
			assertThat(count(root)).isEqualTo(FILES);
		}
		assertThat(interrupted).as("killed in the middle").isPositive();
	}

	private static long count(Path root) throws IOException {
		try (Stream<Path> entries = Files.list(root)) {
			return entries.count();
		}
	}

	private static WorkspaceFiles files(Path root, Path state) {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withStateDirectory(state))
			.open(FileToolsFixture.workspace(root));
	}

	/**
	 * Applies patches in a JVM of its own until it is killed.
	 */
	public static void main(String[] arguments) throws Exception {
		Path root = Path.of(arguments[0]);
		Workspace workspace = FileToolsFixture.workspace(root);
		ToolContext context = ToolContext.builder(workspace).files(files(root, Path.of(arguments[1]))).build();
		ToolCatalog catalog = ToolCatalog.of(List.of(new ApplyPatchTool()), List.of());
		String before = Files.readString(root.resolve("f0")).strip();
		for (int number = 1 + Integer.parseInt(before.substring("patch ".length()));; number++) {
			StringBuilder patch = new StringBuilder("*** Begin Patch\n");
			for (int i = 0; i < FILES; i++) {
				patch.append("*** Update File: f%d\n@@\n-%s\n+patch %d\n".formatted(i, before, number));
			}
			ToolResult result = catalog.call(
					new ToolCall("", "ApplyPatch", Map.of("patch", patch.append("*** End Patch\n").toString())),
					context);
			System.out.println((result.error() == null) ? "patch " + number : result.text());
			before = "patch " + number;
		}
	}

}
