package io.kairo.tools;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.edit.ApplyPatchTool;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.edit.MultiEditTool;
import io.kairo.tools.file.FileToolsFixture;
import io.kairo.tools.file.ListOptions;
import io.kairo.tools.file.ListTool;
import io.kairo.tools.file.ReadFileTool;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WriteOptions;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.search.GlobOptions;
import io.kairo.tools.search.GlobTool;
import io.kairo.tools.search.GrepOptions;
import io.kairo.tools.search.GrepTool;
import io.kairo.workspace.search.SearchLimits;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The calls that take the most memory, each a row of the table in the reference of the
 * tools, for {@link SmallHeapTests}.
 */
enum WorstCall {

	READ("`Read` of lines", 1),

	READ_IMAGE("`Read` of an image", 5),

	READ_FILE("`read_file`", 16),

	WRITE("`Write`, with its content", 16),

	EDIT("`Edit` of a file", 16),

	EDIT_ARGUMENTS("`Edit`, for its arguments", 16),

	MULTI_EDIT("`MultiEdit` and `ApplyPatch` of files", 16),

	MULTI_EDIT_ARGUMENTS("`MultiEdit`, for its arguments", 16),

	PATCH("`ApplyPatch`, for its patch", 4),

	LIST("`List`", 40),

	GLOB("`Glob`", 8),

	WALK("`Glob`, `Grep` and `Info`, for directories", 16),

	GREP_LINE("`Grep`, for a line", 16),

	GREP_MULTILINE("`Grep` with `multiline`, for a file", 16),

	GREP_RESULTS("`Grep`, for results", 8),

	BASH("`Bash`", 16);

	private static final String DEEP = ("n".repeat(250) + "/").repeat(14);

	private final String row;

	private final int bound;

	/**
	 * Creates a call.
	 * @param row the first cell of its row
	 * @param megabytes its bound in the test
	 */
	WorstCall(String row, int megabytes) {
		this.row = row;
		this.bound = megabytes << 20;
	}

	String row() {
		return this.row;
	}

	int bound() {
		return this.bound;
	}

	void prepare(Path directory) throws IOException {
		Path file = directory.resolve("a.txt");
		switch (this) {
			case READ -> Files.writeString(file, ("\u4e00" + "a".repeat(100) + "\n").repeat(40_000));
			case READ_IMAGE ->
				Files.write(file, Arrays.copyOf("GIF89a".getBytes(StandardCharsets.US_ASCII), this.bound));
			case READ_FILE, WRITE, EDIT -> Files.writeString(file, wide('a', this.bound - 1) + "X");
			case MULTI_EDIT -> {
				for (String name : List.of("a.txt", "b.txt")) {
					Files.writeString(directory.resolve(name), wide('a', this.bound / 2 - 1) + "X");
				}
			}
			case EDIT_ARGUMENTS, MULTI_EDIT_ARGUMENTS -> Files.writeString(file, wide('a', this.bound / 2));
			case LIST, GLOB -> {
				Path deep = Files.createDirectories(directory.resolve(DEEP));
				for (int i = 0; i < ((this == LIST) ? 10_000 : 4_000); i++) {
					Files.createFile(deep.resolve("f".repeat(240) + i));
				}
			}
			case WALK -> {
				Path deep = Files.createDirectories(directory.resolve(DEEP));
				for (int i = 0; i < 20_000; i++) {
					Files.createDirectory(deep.resolve("f".repeat(240) + i));
				}
			}
			case GREP_LINE, GREP_MULTILINE -> {
				// directories, since several threads search them
				for (int i = 0; i < 20; i++) {
					Path below = Files.createDirectory(directory.resolve("d" + i));
					Files.writeString(below.resolve("a.txt"), (i < 3) ? wide('a', this.bound - 2) + "Z" : "a");
				}
			}
			case GREP_RESULTS -> {
				String line = "a".repeat(400) + "\u4e00" + "b".repeat(98) + "\n";
				for (int i = 0; i < 20; i++) {
					Path below = Files.createDirectory(directory.resolve("d" + i));
					Files.writeString(below.resolve("a.txt"), line.repeat(30_000));
				}
			}
			case BASH, PATCH -> {
			}
		}
	}

	/**
	 * Makes the call, and checks that it is the one that was meant.
	 */
	void make(ToolContext context) {
		SearchLimits limits = SearchLimits.DEFAULTS.withDeadline(Duration.ofMinutes(1));
		AgentTool grep = new GrepTool(new GrepOptions(250, 5000, 100_000, limits));
		AgentTool glob = new GlobTool(new GlobOptions(100, 1000, limits));
		switch (this) {
			case READ -> call(context, new ReadTool(new ReadOptions(2000, 2000, this.bound)),
					Map.of("file_path", "a.txt", "limit", 1_000_000), "stopped at 1,048,576 characters");
			case READ_IMAGE -> call(context, new ReadTool(), Map.of("file_path", "a.txt"),
					"a GIF image of 5,242,880 bytes, which comes");
			case READ_FILE -> call(context, new ReadFileTool(new ReadOptions(2000, 2000, 256 << 10, this.bound)),
					Map.of("path", "a.txt"), "end of file");
			case WRITE -> {
				call(context, new ReadTool(), Map.of("file_path", "a.txt"), "end of file");
				call(context, new WriteTool(new WriteOptions(this.bound, 60)),
						Map.of("file_path", "a.txt", "content", wide('b', this.bound)), "Replaced 'a.txt'");
			}
			case EDIT -> call(context, edit(),
					Map.of("file_path", "a.txt", "old_string", "X", "new_string", "Y", "dry_run", true),
					"nothing was written");
			case EDIT_ARGUMENTS -> call(context, edit(), Map.of("file_path", "a.txt", "old_string",
					wide('a', this.bound / 2), "new_string", wide('b', this.bound / 2)), "1 replacement");
			case MULTI_EDIT -> call(context, multiEdit(),
					Map.of("edits",
							List.of(Map.of("file_path", "a.txt", "old_string", "X", "new_string", "Y"),
									Map.of("file_path", "b.txt", "old_string", "X", "new_string", "Y"))),
					"Changed 2 files");
			case MULTI_EDIT_ARGUMENTS -> call(context, multiEdit(),
					Map.of("file_path", "a.txt", "edits", List
						.of(Map.of("old_string", wide('a', this.bound / 2), "new_string", wide('b', this.bound / 2)))),
					"Changed 1 file");
			case PATCH -> {
				String line = "+\u4e00" + "b".repeat(18) + "\n";
				call(context, new ApplyPatchTool(),
						Map.of("patch",
								"*** Begin Patch\n*** Add File: new.txt\n"
										+ line.repeat((this.bound - 100) / line.length()) + "*** End Patch"),
						"Created 'new.txt'");
			}
			case LIST -> call(context, new ListTool(ListOptions.defaults()), Map.of("depth", 100, "limit", 2000),
					"stopped at entry 2,000");
			case GLOB -> call(context, glob, Map.of("pattern", "f*", "offset", 8_000), "use a narrower pattern");
			case WALK -> call(context, glob, Map.of("pattern", "nothing"), "no files match");
			case GREP_LINE -> call(context, grep, Map.of("pattern", "X|Z", "output_mode", "content"), "3 lines");
			case GREP_MULTILINE ->
				call(context, grep, Map.of("pattern", "X|Z", "output_mode", "content", "multiline", true), "3 lines");
			case GREP_RESULTS -> call(context, grep, Map.of("pattern", "a", "output_mode", "content", "offset", 99_000),
					"narrow the search");
			case BASH -> {
				Duration timeout = Duration.ofMinutes(1);
				call(context, new BashTool(new BashOptions(timeout, timeout, this.bound, this.bound)),
						Map.of("command", "yes $'\\e[31mx\\u4e00\\e[0m\\r' | head -c 100000000"),
						"bytes of output were not kept");
			}
		}
	}

	private MultiEditTool multiEdit() {
		return new MultiEditTool(new EditOptions(this.bound, 40, 60, Duration.ofMinutes(1)), ToolNaming.CLAUDE);
	}

	private EditTool edit() {
		return new EditTool(new EditOptions(this.bound, 40, 60, Duration.ofMinutes(1)));
	}

	private static void call(ToolContext context, AgentTool tool, Map<String, Object> arguments, String expected) {
		ToolResult result = ToolCatalog.of(List.of(tool), List.of())
			.call(new ToolCall("", tool.definition().name(), arguments), context);
		assertThat(result.text()).contains(expected);
	}

	/**
	 * Returns a text of one line, which takes two bytes per character in memory.
	 */
	private static String wide(char c, int bytes) {
		return "\u4e00" + String.valueOf(c).repeat(bytes - 3);
	}

	/**
	 * Makes a call in a JVM of its own.
	 */
	public static void main(String[] arguments) throws IOException {
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox()) {
			ToolContext context = ToolContext.builder(FileToolsFixture.workspace(Path.of(arguments[0]).toRealPath()))
				.sandbox(sandbox)
				.carriesAttachments()
				.build();
			valueOf(arguments[1]).make(context);
		}
	}

}
