package io.kairo.tools.file;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.AgentTool;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.routing.RoutingWorkspaceProvider;
import io.kairo.workspace.task.AgentTree;
import io.kairo.workspace.task.InMemoryAgentRegistry;
import io.kairo.workspace.task.TaskWorkspaceProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A fixture that calls the snake case tools in the workspaces of a tree of agents. It
 * asserts that no result of a file tool contains the host path of the workspaces.
 */
public final class TaskTools implements AutoCloseable {

	private static final ToolNaming NAMING = ToolNaming.SNAKE_CASE;

	private final ToolCatalog catalog = ToolCatalog.of(
			List.of(new ReadFileTool(ReadOptions.defaults()), new WriteFileTool(WriteOptions.defaults()),
					new EditTool(EditOptions.defaults(), NAMING), new ListFilesTool(ListOptions.defaults()),
					new WorkspaceInfoTool(InfoOptions.defaults()), new BashTool(BashOptions.defaults(), NAMING)),
			List.of());

	private final AgentTree tree = new AgentTree(new InMemoryAgentRegistry());

	private final Path data;

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	private final AgentSessions sessions;

	public TaskTools(Path data) {
		this(data, (provider) -> provider);
	}

	public TaskTools(Path data, UnaryOperator<TaskWorkspaceProvider> access) {
		this(data, access, null);
	}

	public TaskTools(Path data, UnaryOperator<TaskWorkspaceProvider> access, ExecutionSandbox other) {
		this.data = data;
		TaskWorkspaceProvider provider = access.apply(new TaskWorkspaceProvider(this.tree, data));
		RoutingWorkspaceProvider router = new RoutingWorkspaceProvider("task",
				List.of(new WorkspaceProviderRegistration("task", provider,
						provider.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS)))),
				List.of());
		this.sessions = new AgentSessions(router, router.files(), (other != null) ? other : this.sandbox);
	}

	public AgentTree tree() {
		return this.tree;
	}

	public Path workspace(String id) {
		return this.data.resolve("workspaces").resolve(id);
	}

	public ToolResult call(String agent, String tool, Map<String, Object> arguments) {
		return call(agent, null, tool, arguments);
	}

	/**
	 * Calls a tool outside the catalog.
	 */
	public ToolResult call(String agent, AgentTool tool, Map<String, Object> arguments) {
		TenantContext tenant = new TenantContext("default", "ann", Map.of(TenantContext.ATTR_AGENT_ID, agent));
		return this.sessions.call(SessionRequest.of(tenant, null), ToolCatalog.of(List.of(tool), List.of()),
				new ToolCall("1", tool.definition().name(), arguments), (context) -> context);
	}

	public ToolResult call(String agent, String session, String tool, Map<String, Object> arguments) {
		TenantContext tenant = new TenantContext("default", "ann", Map.of(TenantContext.ATTR_AGENT_ID, agent));
		ToolResult result = this.sessions.call(SessionRequest.of(tenant, session), this.catalog,
				new ToolCall("1", tool, arguments), (context) -> context);
		if (!tool.equals("run_command") && !arguments.toString().contains(this.data.toString())) {
			assertThat(result.text() + result.data()).doesNotContain(this.data.toString());
		}
		if (result.error() != null) {
			assertThat(result.data()).containsOnlyKeys("error", "message")
				.containsEntry("error", result.error().code());
		}
		return result;
	}

	public ToolResult write(String agent, String path, String content) {
		return call(agent, "write_file", Map.of("path", path, "content", content));
	}

	public ToolResult read(String agent, String path) {
		return call(agent, "read_file", Map.of("path", path));
	}

	public ToolResult list(String agent) {
		return call(agent, "list_files", Map.of());
	}

	public ToolResult info(String agent) {
		return call(agent, "get_workspace_info", Map.of());
	}

	@Override
	public void close() {
		this.sessions.close();
		this.sandbox.close();
	}

}
