package io.kairo.tools.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.tck.FilledDisk;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionBounds;
import io.kairo.tools.SessionDefaults;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.output.OutputOptions;
import io.kairo.tools.output.OutputStore;
import io.kairo.tools.search.GrepOptions;
import io.kairo.tools.search.GrepTool;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A program that calls tools while a small disk has different amounts of free space.
 */
final class FullDiskOutputProgram {

	private static final String COMMAND = "seq 1 50000; exit 3"; // prints 288,894 bytes

	private final ToolCatalog catalog = ToolCatalog
		.of(List.of(new BashTool(), new ReadTool(), new GrepTool(GrepOptions.defaults())), List.of());

	private final Path disk;

	private final Path outputs;

	private final AgentSessions sessions;

	private FullDiskOutputProgram(Path disk, LocalProcessSandbox sandbox, Path workspace) throws IOException {
		this.disk = disk;
		this.outputs = Files.createDirectory(disk.resolve("outputs"));
		this.sessions = new AgentSessions(new LocalDirectoryWorkspaceProvider(workspace),
				new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS), sandbox, SessionBounds.DEFAULTS,
				SessionDefaults.NONE, new OutputStore(this.outputs, OutputOptions.defaults(), Clock.systemUTC()));
	}

	public static void main(String[] arguments) throws Exception {
		Path disk = Path.of(arguments[0]);
		Path workspace = Files.createTempDirectory("kairo-full-disk");
		Path state = Files.createDirectory(disk.resolve("sandbox"));
		CommandSettings onDisk = CommandSettings.DEFAULTS.with((commands) -> commands.directory(state));
		try (LocalProcessSandbox elsewhere = new LocalProcessSandbox();
				LocalProcessSandbox sandbox = new LocalProcessSandbox(onDisk)) {
			new FullDiskOutputProgram(disk, elsewhere, workspace).run();
			Files.delete(disk.resolve("outputs"));
			new FullDiskOutputProgram(disk, sandbox, workspace).runWithSandboxOnFullDisk();
		}
		finally {
			Files.delete(workspace);
		}
		System.exit(0);
	}

	private void run() throws IOException {
		for (int names = 0; names <= 2; names++) {
			try (FilledDisk filled = FilledDisk.leavingNames(this.disk, names)) {
				assertNotKept();
				assertThat(this.outputs).as("with %d names, too few for a directory with a lock", names)
					.isEmptyDirectory();
			}
		}
		assertWhollyKept("@output/1");
		Set<String> names = names();
		try (FilledDisk filled = FilledDisk.leavingBytes(this.disk, 0)) {
			assertNotKept();
		}
		assertThat(names()).as("nothing is left behind").isEqualTo(names);
		try (FilledDisk filled = FilledDisk.leavingBytes(this.disk, 100_000)) {
			assertPartlyKept();
		}
		assertWhollyKept("@output/3");
		this.sessions.close();
		assertThat(this.outputs).isEmptyDirectory();
	}

	private void assertNotKept() {
		ToolResult result = bash();
		assertThat(result.data()).doesNotContainKeys("output", "outputStorageFailed")
			.containsEntry("droppedBytes", 288_894L);
		assertThat(result.text()).contains("there was no room to keep the whole output");
		assertThat(result.complete().reason()).contains("free space, or run it again with its output through a filter");
	}

	private void assertPartlyKept() {
		ToolResult result = bash();
		assertThat(result.data()).containsEntry("output", "@output/2");
		long dropped = (Long) result.data().get("droppedBytes");
		assertThat(result.text())
			.contains(Phrase.of("there was no room for %,d bytes of the end in @output/2", dropped));
		ToolResult found = call("Grep",
				Map.of("pattern", "^[0-9]+$", "path", "@output/2", "output_mode", "count", "head_limit", 10));
		assertThat(found.error()).as(found.text()).isNull();
		ToolResult read = call("Read", Map.of("file_path", "@output/2", "offset", 10_000, "limit", 3));
		assertThat(read.text()).startsWith(" 10000\t10000\n 10001\t10001\n");
		ToolResult beyond = call("Read", Map.of("file_path", "@output/2", "offset", 49_000, "limit", 3));
		assertThat(beyond.text()).doesNotContain("49000\t49000");
		assertThat(288_894 - dropped).as("kept bytes").isPositive().isLessThanOrEqualTo(110_000);
	}

	private void assertWhollyKept(String name) {
		ToolResult result = bash();
		assertThat(result.data()).containsEntry("output", name).doesNotContainKey("droppedBytes");
		assertThat(call("Read", Map.of("file_path", name, "offset", 49_000, "limit", 1)).text())
			.startsWith(" 49000\t49000\n");
	}

	private void runWithSandboxOnFullDisk() throws IOException {
		bash();
		try (FilledDisk filled = FilledDisk.leavingBytes(this.disk, 0)) {
			ToolResult result = bash();
			assertThat(result.data()).containsEntry("outputStorageFailed", true).containsEntry("truncated", true);
			assertThat(result.text()).containsPattern(
					"[0-9,]+ bytes of output were not kept, since the disk of the sandbox is full or cannot be written");
		}
		this.sessions.close();
	}

	/**
	 * Runs the command and asserts that the result has the first lines and the exit code.
	 */
	private ToolResult bash() {
		ToolResult result = call("Bash", Map.of("command", COMMAND));
		assertThat(result.text()).startsWith("1\n2\n3\n").contains("exit code 3");
		assertThat(result.data()).containsEntry("exitCode", 3);
		return result;
	}

	private ToolResult call(String tool, Map<String, Object> arguments) {
		return this.sessions.inSession(TenantContext.SINGLE, "1",
				(context) -> this.catalog.call(new ToolCall("", tool, arguments), context.build()));
	}

	private Set<String> names() throws IOException {
		try (Stream<Path> below = Files.walk(this.outputs)) {
			return below.map(Path::toString).collect(Collectors.toCollection(TreeSet::new));
		}
	}

}
