package io.kairo.tools.file;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.attack.AttackColumn;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.FileAgent;
import io.kairo.api.workspace.tck.WorkspaceAttackKit;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.search.GrepOptions;
import io.kairo.tools.search.GrepTool;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;

/**
 * Tests for attacks on the workspace by an agent that calls the file tools.
 */
class ToolAttackTests extends WorkspaceAttackKit {

	@Override
	protected FileAgent createAgent(Path root, WritePolicy policy) {
		Workspace workspace = FileToolsFixture.workspace(root);
		LocalFilesOptions options = LocalFilesOptions.DEFAULTS.withWritePolicy(policy);
		return new ToolAgent(
				ToolContext.builder(workspace).files(new LocalWorkspaceFilesFactory(options).open(workspace)).build());
	}

	@Override
	protected AttackColumn column() {
		return new AttackColumn(Path.of("..", "docs", "attacks.md"), "On files", "tools");
	}

	/**
	 * An agent that calls tools by name.
	 *
	 * @param context the context of its calls
	 */
	private record ToolAgent(ToolContext context) implements FileAgent {

		private static final ToolCatalog CATALOG = ToolCatalog
			.of(List.of(new ReadTool(), new WriteTool(), new EditTool(), new ListTool(ListOptions.defaults()),
					new InfoTool(InfoOptions.defaults()), new GrepTool(GrepOptions.defaults())), List.of());

		private Answer call(String tool, Map<String, Object> arguments) {
			ToolResult result = CATALOG.call(new ToolCall("", tool, arguments), this.context);
			return new Answer(result.error() == null, result.text() + result.data() + result.error());
		}

		@Override
		public Answer read(String path) {
			Answer info = call("Info", Map.of("path", path));
			Answer read = call("Read", Map.of("file_path", path));
			return new Answer(read.done(), read.text() + info.text());
		}

		@Override
		public Answer write(String path, String text) {
			call("Read", Map.of("file_path", path));
			return call("Write", Map.of("file_path", path, "content", text));
		}

		@Override
		public Answer replace(String path, String expected, String text) {
			call("Read", Map.of("file_path", path));
			return call("Edit",
					Map.of("file_path", path, "old_string", expected.strip(), "new_string", text + text.length()));
		}

		@Override
		public Answer list(String directory) {
			return call("List", Map.of("path", directory, "depth", 10));
		}

		@Override
		public Answer find(String directory, String text) {
			return call("Grep", Map.of("pattern", "\\Q" + text + "\\E", "path", directory, "output_mode", "content"));
		}

	}

}
