package io.kairo.tools.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
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
	void createFiles(@TempDir Path directory) throws Exception {
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
	void entriesThatNoPathCanNameAreCounted(@TempDir Path deep) throws IOException {
		Files.createDirectories(deep.resolve("d/".repeat(258)));
		Files.writeString(deep.resolve("d/".repeat(256) + "x"), "x");
		ToolResult result = new ListTool().call(Map.of("depth", 300, "limit", 300),
				ToolContext.builder(FileToolsFixture.workspace(deep)).build());
		assertThat(result.text()).contains("256 entries", "at least 2 cannot be shown");
	}

	@Test
	void cancelledListReturnsError() {
		this.context.cancellation().cancel();
		assertThat(this.tool.call(Map.of("path", "."), this.context).error()).extracting(ToolError::code)
			.isEqualTo("cancelled");
	}

}
