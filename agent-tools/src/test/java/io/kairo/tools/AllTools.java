package io.kairo.tools;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.tools.command.BashOptions;
import io.kairo.tools.checkpoint.ChangesTool;
import io.kairo.tools.checkpoint.CheckpointTool;
import io.kairo.tools.checkpoint.RewindTool;
import io.kairo.tools.checkpoint.TrialTool;
import io.kairo.tools.command.BashInputTool;
import io.kairo.tools.command.BashListTool;
import io.kairo.tools.command.BashOutputTool;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.command.KillBashTool;
import io.kairo.tools.edit.ApplyPatchTool;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.edit.MultiEditTool;
import io.kairo.tools.entry.CopyTool;
import io.kairo.tools.entry.DeleteTool;
import io.kairo.tools.entry.MoveTool;
import io.kairo.tools.entry.UndeleteTool;
import io.kairo.tools.file.InfoOptions;
import io.kairo.tools.file.InfoTool;
import io.kairo.tools.file.ListFilesTool;
import io.kairo.tools.file.ListOptions;
import io.kairo.tools.file.ListTool;
import io.kairo.tools.file.ReadFileTool;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WorkspaceInfoTool;
import io.kairo.tools.file.WriteFileTool;
import io.kairo.tools.file.WriteOptions;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.history.CommitTool;
import io.kairo.tools.history.DiffTool;
import io.kairo.tools.history.PushTool;
import io.kairo.tools.history.WriteBackTool;
import io.kairo.tools.search.GlobOptions;
import io.kairo.tools.search.GlobTool;
import io.kairo.tools.search.GrepOptions;
import io.kairo.tools.search.GrepTool;
import io.kairo.tools.trash.TrashOptions;
import io.kairo.tools.trash.TrashStore;

/**
 * A fixture that creates every tool of the module.
 */
public final class AllTools {

	private static final TrashStore TRASH = new TrashStore(Path.of("trash"), TrashOptions.defaults());

	private AllTools() {
	}

	public static List<AgentTool> of(ToolNaming naming) {
		return Stream.concat(files(naming).stream(),
				Stream.of(new GlobTool(GlobOptions.defaults(), naming), new GrepTool(GrepOptions.defaults(), naming),
						new MoveTool(CallDeadline.DEFAULT_TIMEOUT, naming),
						new CopyTool(CallDeadline.DEFAULT_TIMEOUT, naming),
						new DeleteTool(TRASH, CallDeadline.DEFAULT_TIMEOUT, naming), new UndeleteTool(TRASH, naming),
						new BashTool(BashOptions.defaults(), naming),
						new BashOutputTool(Duration.ofMinutes(2), Duration.ofMinutes(10), naming),
						new BashInputTool(naming), new KillBashTool(naming), new BashListTool(naming),
						new CheckpointTool(naming), new ChangesTool(ReadOptions.defaults().maxCharacters(), naming),
						new RewindTool(ReadOptions.defaults().maxCharacters(), naming),
						new TrialTool(ReadOptions.defaults().maxCharacters(), naming),
						new DiffTool(ReadOptions.defaults().maxCharacters(), naming), new CommitTool(naming),
						new PushTool(naming), new WriteBackTool(naming)))
			.toList();
	}

	private static List<AgentTool> files(ToolNaming naming) {
		EditTool edit = new EditTool(EditOptions.defaults(), naming);
		MultiEditTool edits = new MultiEditTool(EditOptions.defaults(), naming);
		ApplyPatchTool patch = new ApplyPatchTool(EditOptions.defaults(), TRASH, naming);
		return (naming == ToolNaming.CLAUDE)
				? List.of(new ReadTool(), new WriteTool(), edit, edits, patch, new ListTool(ListOptions.defaults()),
						new InfoTool(InfoOptions.defaults()))
				: List.of(new ReadFileTool(ReadOptions.defaults()), new WriteFileTool(WriteOptions.defaults()), edit,
						edits, patch, new ListFilesTool(ListOptions.defaults()),
						new WorkspaceInfoTool(InfoOptions.defaults()));
	}

}
