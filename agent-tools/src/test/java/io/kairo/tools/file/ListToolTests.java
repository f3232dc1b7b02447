package io.kairo.tools.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ListTool}, over files on disk.
 */
class ListToolTests {

	private final ListTool tool = new ListTool(new ListOptions(3, 100, 100, Duration.ofNanos(1)));

	private ToolContext context;

	@BeforeEach
	void createFiles(@TempDir(factory = FastTempDir.class) Path directory) throws Exception {
		Files.createDirectories(directory.resolve("a/b"));
		Files.createDirectories(directory.resolve("c"));
		Workspace workspace = FileToolsFixture.workspace(directory);
		this.context = ToolContext.builder(workspace)
			.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(workspace))
			.build();
	}

	@Test
	void listEndsAtItsDeadlineWithUpperLevels() {
		ToolResult result = this.tool.call(Map.of("path", "."), this.context);
		assertThat(result.text()).contains("a/\nc/\n", "with 2 directories not listed").doesNotContain("b/");
		assertThat(result.complete().complete()).isFalse();
	}

	@Test
	void entriesThatNoPathCanNameAreCounted(@TempDir(factory = FastTempDir.class) Path deep) throws IOException {
		Files.createDirectories(deep.resolve("d/".repeat(258)));
		Files.writeString(deep.resolve("d/".repeat(256) + "x"), "x");
		ToolResult result = new ListTool().call(Map.of("depth", 300, "limit", 300),
				ToolContext.builder(FileToolsFixture.workspace(deep)).build());
		assertThat(result.text()).contains("256 entries", "at least 2 cannot be shown");
	}

	@Test
	void listAndReadGoOnAfterTenThousandEntries(@TempDir(factory = FastTempDir.class) Path directory)
			throws IOException {
		for (int i = 0; i < 10_030; i++) {
			Files.createFile(directory.resolve("f" + i));
		}
		Files.createDirectories(directory.resolve("many/z"));
		Files.createFile(directory.resolve("a"));
		for (int i = 0; i < 20; i++) {
			Files.createFile(directory.resolve("many/g" + i));
		}
		ToolContext context = ToolContext.builder(FileToolsFixture.workspace(directory)).build();
		assertThat(entries(new ListTool(), Map.of("depth", 1, "limit", 2000), context)).hasSize(10_032)
			.doesNotHaveDuplicates();
		List<String> all = entries(new ListTool(), Map.of("depth", 3, "limit", 1999), context);
		assertThat(all).hasSize(10_053).doesNotHaveDuplicates();
		assertThat(all.subList(0, 10_000)).isSorted().contains("f10029").doesNotContain("many/");
		assertThat(entries(new ReadTool(), Map.of("file_path", "."), context)).hasSize(10_032).doesNotHaveDuplicates();
	}

	/**
	 * Returns the entries of all pages.
	 */
	private static List<String> entries(AgentTool tool, Map<String, Object> arguments, ToolContext context) {
		List<String> entries = new ArrayList<>();
		for (Map<String, Object> next = arguments; next != null;) {
			ToolResult result = tool.call(next, context);
			assertThat(result.error()).isNull();
			result.text()
				.lines()
				.filter((line) -> !line.startsWith("("))
				.forEach((line) -> entries.add(line.replaceFirst("\t.*", "")));
			next = result.complete().next();
			assertThat(result.complete().complete()).as(result.text()).isEqualTo(next == null);
		}
		return entries;
	}

	@Test
	void cancelledListReturnsError() {
		this.context.cancellation().cancel();
		assertThat(this.tool.call(Map.of("path", "."), this.context).error()).extracting(ToolError::code)
			.isEqualTo("cancelled");
	}

}
