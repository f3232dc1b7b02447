package io.kairo.tools;

import java.util.List;

import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.file.InfoOptions;
import io.kairo.tools.file.InfoTool;
import io.kairo.tools.file.ListOptions;
import io.kairo.tools.file.ListTool;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WriteOptions;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.history.CommitTool;
import io.kairo.tools.history.DiffTool;
import io.kairo.tools.history.PushTool;
import io.kairo.tools.search.GlobOptions;
import io.kairo.tools.search.GlobTool;
import io.kairo.tools.search.GrepOptions;
import io.kairo.tools.search.GrepTool;

/**
 * Every tool of the module.
 */
public final class AllTools {

	private AllTools() {
	}

	public static List<AgentTool> of(ToolNaming naming) {
		return List.of(new ReadTool(ReadOptions.defaults(), naming), new WriteTool(WriteOptions.defaults(), naming),
				new EditTool(EditOptions.defaults(), naming), new ListTool(ListOptions.defaults(), naming),
				new InfoTool(InfoOptions.defaults(), naming), new GlobTool(GlobOptions.defaults(), naming),
				new GrepTool(GrepOptions.defaults(), naming), new BashTool(BashOptions.defaults(), naming),
				new DiffTool(1000, naming), new CommitTool(naming), new PushTool(naming));
	}

}
