package io.kairo.tools.edit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.tools.AgentSession;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.FileToolsFixture;
import io.kairo.tools.file.ReadTool;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that concurrent editors of the same files, in two JVMs, lose no update.
 */
class ConcurrentEditorsTests {

	private static final boolean LONG = "long".equals(System.getProperty("kairo.stress"));

	private static final int EDITORS = LONG ? 8 : 4;

	private static final int LINES = LONG ? 6 : 4;

	private static final Duration PATIENCE = Duration.ofSeconds(100);

	private static final List<String> FILES = List.of("a.txt", "b.txt");

	@Test
	@Timeout(120)
	void editorsInTwoJvmsLoseNoUpdate(@TempDir Path directory) throws Exception {
		Path root = Files.createDirectory(directory.resolve("root"));
		Path state = directory.resolve("state");
		for (String file : FILES) {
			Files.writeString(root.resolve(file), "begin\nend\n");
		}
		Path output = directory.resolve("output");
		Process other = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dkairo.stress=" + (LONG ? "long" : ""), "-cp",
				System.getProperty("java.class.path"), ConcurrentEditorsTests.class.getName(), root.toString(),
				state.toString()))
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			await(() -> Files.readString(root.resolve("a.txt")).contains("other"), other, output);
			assertThat(edit(root, state, "this")).as("refused edits, by concurrent ones").isPositive();
			assertThat(other.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(other.exitValue()).as(Files.readString(output)).isZero();
		}
		finally {
			other.destroyForcibly().waitFor();
		}
		for (String file : FILES) {
			List<String> expected = new ArrayList<>(List.of("begin", "end"));
			for (String jvm : List.of("this", "other")) {
				for (int editor = 0; editor < EDITORS; editor++) {
					for (int number = 0; number < LINES; number++) {
						if (change(editor, number).files(number).contains(file)) {
							expected.add(line(jvm, editor, number));
						}
					}
				}
			}
			assertThat(Files.readAllLines(root.resolve(file))).containsExactlyInAnyOrderElementsOf(expected);
		}
	}

	/**
	 * Waits until the other JVM has begun, so that both work at once.
	 */
	private static void await(Condition condition, Process process, Path output) throws Exception {
		Instant end = Instant.now().plus(PATIENCE);
		while (!condition.isMet()) {
			assertThat(process.isAlive() && Instant.now().isBefore(end)).as(Files.readString(output)).isTrue();
			Thread.onSpinWait();
		}
	}

	/**
	 * Edits the files in a JVM of its own.
	 */
	public static void main(String[] arguments) {
		edit(Path.of(arguments[0]), Path.of(arguments[1]), "other");
	}

	/**
	 * Edits the files.
	 * @return the number of refused edits
	 */
	private static int edit(Path root, Path state, String jvm) {
		Workspace workspace = FileToolsFixture.workspace(root);
		WorkspaceFiles files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withStateDirectory(state))
			.open(workspace);
		ExecutorService executor = Executors.newFixedThreadPool(EDITORS);
		try {
			List<CompletableFuture<Integer>> editors = new ArrayList<>();
			for (int i = 0; i < EDITORS; i++) {
				int editor = i;
				AgentSession session = new AgentSession(jvm + editor, TenantContext.SINGLE, workspace);
				ToolContext context = ToolContext.builder(workspace).files(files).session(session).build();
				editors.add(CompletableFuture.supplyAsync(() -> edit(context, jvm, editor), executor));
			}
			return editors.stream().mapToInt(CompletableFuture::join).sum();
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static int edit(ToolContext context, String jvm, int editor) {
		int refused = 0;
		ToolCatalog tools = ToolCatalog
			.of(List.of(new ReadTool(), new EditTool(), new MultiEditTool(), new ApplyPatchTool()), List.of());
		Instant end = Instant.now().plus(PATIENCE);
		for (int number = 0; number < LINES; number++) {
			Change change = change(editor, number);
			ToolCall call = change.call(line(jvm, editor, number), change.files(number));
			ToolResult result = tools.call(call, context);
			for (; result.error() != null; refused++) {
				assertThat(result.error().code()).as(result.text()).isEqualTo("stale_read");
				assertThat(Instant.now()).as("%s: %s", call.arguments(), result.text()).isBefore(end);
				change.files(number)
					.forEach((file) -> tools.call(new ToolCall("", "Read", Map.of("file_path", file)), context));
				result = tools.call(call, context);
			}
		}
		return refused;
	}

	private static String line(String jvm, int editor, int number) {
		return jvm + " " + editor + " " + number;
	}

	private static Change change(int editor, int number) {
		return Change.values()[(editor + number) % Change.values().length];
	}

	/**
	 * A way to insert a line.
	 */
	private enum Change {

		EDIT {

			@Override
			ToolCall call(String line, List<String> files) {
				return new ToolCall("", "Edit",
						Map.of("file_path", files.get(0), "old_string", "end\n", "new_string", line + "\nend\n"));
			}

		},

		MULTI_EDIT {

			@Override
			List<String> files(int number) {
				return FILES;
			}

			@Override
			ToolCall call(String line, List<String> files) {
				return new ToolCall("", "MultiEdit",
						Map.of("edits",
								files.stream()
									.map((file) -> Map.of("file_path", file, "old_string", "begin\n", "new_string",
											"begin\n" + line + "\n"))
									.toList()));
			}

		},

		APPLY_PATCH {

			@Override
			ToolCall call(String line, List<String> files) {
				return new ToolCall("", "ApplyPatch", Map.of("patch", "*** Begin Patch\n*** Update File: "
						+ files.get(0) + "\n@@\n+" + line + "\n end\n*** End Patch\n"));
			}

		};

		/**
		 * Returns the files that get the line of a number.
		 */
		List<String> files(int number) {
			return List.of(FILES.get(number % FILES.size()));
		}

		abstract ToolCall call(String line, List<String> files);

	}

	/**
	 * A condition of files.
	 */
	@FunctionalInterface
	private interface Condition {

		boolean isMet() throws IOException;

	}

}
