package io.kairo.governance.policy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.AgentSession;
import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.command.BashInputTool;
import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.edit.ApplyPatchTool;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.edit.MultiEditTool;
import io.kairo.tools.entry.CopyTool;
import io.kairo.tools.entry.DeleteTool;
import io.kairo.tools.entry.MoveTool;
import io.kairo.tools.entry.UndeleteTool;
import io.kairo.tools.file.InfoTool;
import io.kairo.tools.file.ListFilesTool;
import io.kairo.tools.file.ListTool;
import io.kairo.tools.file.ReadFileTool;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WorkspaceInfoTool;
import io.kairo.tools.file.WriteFileTool;
import io.kairo.tools.file.WriteOptions;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.history.DiffTool;
import io.kairo.tools.search.GlobOptions;
import io.kairo.tools.search.GlobTool;
import io.kairo.tools.search.GrepOptions;
import io.kairo.tools.search.GrepTool;
import io.kairo.tools.trash.TrashStore;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;

/**
 * Calls and contexts of the tests of the policy.
 */
final class PolicyFixture {

	private PolicyFixture() {
	}

	static ToolContext context(Path directory, String tenant, String session) {
		TenantContext owner = new TenantContext(tenant, "alice");
		Workspace workspace = new LocalDirectoryWorkspaceProvider(directory)
			.acquire(new WorkspaceRequest(null, owner, true));
		return ToolContext.builder(workspace).session(new AgentSession(session, owner, workspace)).build();
	}

	static ToolCall call(String tool, Map<String, Object> arguments) {
		return new ToolCall("call-1", tool, arguments);
	}

	static List<AgentTool> tools() {
		return tools(ToolNaming.CLAUDE, "");
	}

	/**
	 * Returns tools of Kairo.
	 * @param prefix the prefix of their names
	 */
	static List<AgentTool> tools(ToolNaming naming, String prefix) {
		boolean claude = naming == ToolNaming.CLAUDE;
		TrashStore trash = TrashStore.ofUser();
		Duration timeout = Duration.ofSeconds(10);
		return Stream.of(claude ? new ReadTool(ReadOptions.defaults()) : new ReadFileTool(),
				claude ? new WriteTool(WriteOptions.defaults()) : new WriteFileTool(),
				claude ? new ListTool() : new ListFilesTool(), claude ? new InfoTool() : new WorkspaceInfoTool(),
				new EditTool(EditOptions.defaults(), naming), new MultiEditTool(EditOptions.defaults(), naming),
				new ApplyPatchTool(EditOptions.defaults(), trash, naming), new BashTool(BashOptions.defaults(), naming),
				new BashInputTool(naming), new GlobTool(GlobOptions.defaults(), naming),
				new GrepTool(GrepOptions.defaults(), naming), new DiffTool(1000, naming), new MoveTool(timeout, naming),
				new CopyTool(timeout, naming), new DeleteTool(trash, timeout, naming), new UndeleteTool(trash, naming))
			.map((tool) -> tool(tool.definition().withName(prefix + tool.definition().name()), tool))
			.toList();
	}

	static AgentTool tool(ToolDefinition definition, AgentTool tool) {
		return new AgentTool() {

			@Override
			public ToolDefinition definition() {
				return definition;
			}

			@Override
			public ToolResult validate(Map<String, Object> arguments) {
				return tool.validate(arguments);
			}

			@Override
			public ToolResult foresee(Map<String, Object> arguments, ToolContext context) {
				return tool.foresee(arguments, context);
			}

			@Override
			public ToolResult call(Map<String, Object> arguments, ToolContext context) {
				return tool.call(arguments, context);
			}

		};
	}

}
