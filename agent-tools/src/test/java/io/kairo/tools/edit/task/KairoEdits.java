package io.kairo.tools.edit.task;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.edit.ApplyPatchTool;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.edit.MultiEditTool;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.trash.TrashOptions;
import io.kairo.tools.trash.TrashStore;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;

/**
 * The tools of Kairo.
 */
final class KairoEdits implements EditImplementation {

	private final ToolCatalog catalog;

	KairoEdits(Path trash) {
		this.catalog = ToolCatalog
			.of(List.of(new ReadTool(), new EditTool(), new MultiEditTool(), new ApplyPatchTool(EditOptions.defaults(),
					new TrashStore(trash, TrashOptions.defaults()), ToolNaming.CLAUDE)), List.of());
	}

	@Override
	public String name() {
		return "Kairo";
	}

	@Override
	public boolean supports(EditTask task) {
		return true;
	}

	@Override
	public Attempt open(Path directory) {
		ToolContext context = ToolContext
			.builder(new LocalDirectoryWorkspaceProvider(directory).acquire(WorkspaceRequest.writable(null)))
			.build();
		return new Attempt() {

			@Override
			public void read(String path) {
				call("Read", Map.of("file_path", path));
			}

			@Override
			public String apply(EditTask task) {
				ToolResult result = switch (task.dialect()) {
					case EXACT -> call("Edit", arguments(task.replacements().get(0)));
					case MULTI -> call("MultiEdit",
							Map.of("edits", task.replacements().stream().map(KairoEdits::arguments).toList()));
					case ENVELOPE, DIFF -> call("ApplyPatch", Map.of("patch", task.patch()));
				};
				return (result.error() != null) ? result.text() : null;
			}

			private ToolResult call(String tool, Map<String, Object> arguments) {
				return KairoEdits.this.catalog.call(new ToolCall("", tool, arguments), context);
			}

		};
	}

	private static Map<String, Object> arguments(EditTask.Replacement replacement) {
		return Map.of("file_path", replacement.path(), "old_string", replacement.old(), "new_string",
				replacement.replacement(), "replace_all", replacement.all());
	}

}
