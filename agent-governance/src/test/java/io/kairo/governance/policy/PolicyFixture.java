package io.kairo.governance.policy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.AgentSession;
import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.edit.ApplyPatchTool;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.edit.MultiEditTool;
import io.kairo.tools.entry.CopyTool;
import io.kairo.tools.entry.DeleteTool;
import io.kairo.tools.entry.MoveTool;
import io.kairo.tools.file.ListTool;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WriteFileTool;
import io.kairo.tools.file.WriteOptions;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.search.GlobTool;
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
		return List.of(new ReadTool(ReadOptions.defaults()), new WriteTool(WriteOptions.defaults()),
				new WriteFileTool(), new EditTool(EditOptions.defaults(), ToolNaming.CLAUDE), new MultiEditTool(),
				new ApplyPatchTool(), new BashTool(BashOptions.defaults()), new ListTool(), new GlobTool(),
				new GrepTool(), new MoveTool(Duration.ofSeconds(10), ToolNaming.CLAUDE),
				new CopyTool(Duration.ofSeconds(10), ToolNaming.CLAUDE),
				new DeleteTool(TrashStore.ofUser(), Duration.ofSeconds(10), ToolNaming.CLAUDE));
	}

}
