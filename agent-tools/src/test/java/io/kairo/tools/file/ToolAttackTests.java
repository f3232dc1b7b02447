package io.kairo.tools.file;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.kairo.api.attack.AttackColumn;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Change;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceCheckpoints.State;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceTrial;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.FileAgent;
import io.kairo.api.workspace.tck.WorkspaceAttackKit;
import io.kairo.tools.AgentTool;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.entry.DeleteTool;
import io.kairo.tools.entry.MoveTool;
import io.kairo.tools.entry.UndeleteTool;
import io.kairo.tools.search.GrepOptions;
import io.kairo.tools.search.GrepTool;
import io.kairo.tools.trash.TrashOptions;
import io.kairo.tools.trash.TrashStore;
import io.kairo.workspace.checkpoint.CheckpointOptions;
import io.kairo.workspace.checkpoint.CheckpointStore;
import io.kairo.workspace.checkpoint.TrialOptions;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.jspecify.annotations.Nullable;

/**
 * Tests for attacks on the workspace by an agent that calls the file tools.
 */
class ToolAttackTests extends WorkspaceAttackKit {

	private static final TenantContext TENANT = new TenantContext("acme", "ann");

	private static final TrashOptions TRASH = new TrashOptions(1000, 2000, 20, Duration.ofHours(1));

	@Override
	protected FileAgent createAgent(Path root, WritePolicy policy) {
		Workspace workspace = FileToolsFixture.workspace(root);
		LocalFilesOptions options = LocalFilesOptions.DEFAULTS.withWritePolicy(policy);
		WorkspaceFiles files = new LocalWorkspaceFilesFactory(options).open(workspace);
		TrashStore trash = new TrashStore(root.resolveSibling("trash"), TRASH);
		List<AgentTool> tools = List.of(new ReadTool(), new WriteTool(), new EditTool(),
				new ListTool(ListOptions.defaults()), new InfoTool(InfoOptions.defaults()),
				new GrepTool(GrepOptions.defaults()), new MoveTool(),
				new DeleteTool(trash, CallDeadline.DEFAULT_TIMEOUT, ToolNaming.CLAUDE),
				new UndeleteTool(trash, ToolNaming.CLAUDE));
		CheckpointStore checkpoints = new CheckpointStore(root.resolveSibling("checkpoints"),
				CheckpointOptions.defaults(), TrialOptions.defaults(root.resolveSibling("trials")),
				(tenant, bytes, most) -> {
				}, Clock.systemUTC());
		return agent(ToolCatalog.of(tools, List.of()), TENANT, workspace, files, checkpoints);
	}

	private static ToolAgent agent(ToolCatalog catalog, TenantContext tenant, Workspace workspace, WorkspaceFiles files,
			CheckpointStore checkpoints) {
		WorkspaceCheckpoints recorded = checkpoints.open(tenant, "session", workspace);
		return new ToolAgent(catalog,
				ToolContext.builder(workspace).tenant(tenant).files(recorded.recorded(files)).build(), files,
				checkpoints, recorded);
	}

	@Override
	protected AttackColumn column() {
		return new AttackColumn(Path.of("..", "docs", "generated", "attacks.md"), "On files", "tools");
	}

	/**
	 * An agent that calls tools by name.
	 *
	 * @param catalog the tools
	 * @param context the context of its calls
	 * @param files the files of the workspace
	 * @param store the checkpoints of all tenants
	 * @param checkpoints the checkpoints of the agent
	 */
	private record ToolAgent(ToolCatalog catalog, ToolContext context, WorkspaceFiles files, CheckpointStore store,
			WorkspaceCheckpoints checkpoints) implements FileAgent {

		private Answer call(String tool, Map<String, Object> arguments) {
			ToolResult result = this.catalog.call(new ToolCall("", tool, arguments), this.context);
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

		@Override
		public Answer remove(String path) {
			return call("Delete", Map.of("path", path, "recursive", true));
		}

		@Override
		public Answer move(String path, String target) {
			return call("Move", Map.of("source", path, "destination", target));
		}

		@Override
		public Answer listTrash() {
			return call("Undelete", Map.of());
		}

		@Override
		public Answer restore(@Nullable String path, @Nullable String id) {
			return call("Undelete", (id != null) ? Map.of("id", id) : Map.of("path", String.valueOf(path)));
		}

		@Override
		public FileAgent ofOtherTenant() {
			return agent(this.catalog, new TenantContext("globex", "bob"), this.context.currentWorkspace(), this.files,
					this.store);
		}

		@Override
		public Answer changes() {
			return answer(this.checkpoints.changes(this.files, Range.all(), Set.of()));
		}

		@Override
		public Answer undo() {
			return answer(this.checkpoints.restore(this.files, Range.last(1), Set.of()));
		}

		@Override
		public Answer redo() {
			return answer(this.checkpoints.restore(this.files, Range.redo(), Set.of()));
		}

		@Override
		public Answer tried(Consumer<FileAgent> work) {
			WorkspaceResult<WorkspaceTrial> begun = this.checkpoints.trial(this.files);
			if (begun instanceof WorkspaceResult.Failure<WorkspaceTrial> failure) {
				return Answer.refused(failure.message());
			}
			try (WorkspaceTrial trial = begun.value()) {
				WorkspaceFiles copy = trial.files(this.files);
				work.accept(new ToolAgent(this.catalog, this.context.toBuilder().files(copy).build(), copy, this.store,
						this.checkpoints));
				WorkspaceResult<Rewind> committed = trial.commit(copy, Set.of());
				Answer answer = answer(committed);
				return new Answer(committed.isOk() && committed.value().done(), answer.text());
			}
		}

		private Answer answer(WorkspaceResult<Rewind> result) {
			if (result instanceof WorkspaceResult.Failure<Rewind> failure) {
				return Answer.refused(failure.message());
			}
			StringBuilder text = new StringBuilder(result.value().steps().toString());
			for (Change change : result.value().changes()) {
				text.append(change.path().relative())
					.append(change.obstacle())
					.append(content(change.from()))
					.append(content(change.to()));
			}
			return new Answer(true, text.toString());
		}

		private String content(@Nullable State state) {
			byte[] content = (state != null) ? this.checkpoints.content(state, 1000) : null;
			return (content != null) ? new String(content, StandardCharsets.UTF_8) : "";
		}

	}

}
