package io.kairo.tools;

import io.kairo.api.workspace.WorkspacePath;

/**
 * Spells paths so that they are valid, as they are, as the next argument of a tool.
 */
final class ShownPath {

	/** What an output of a command is called by, and no file. */
	static final String OUTPUT = "@output/";

	private ShownPath() {
	}

	static String of(WorkspacePath path, ToolContext context) {
		String shown = context.files().display(path, context.session().currentDirectory());
		return shown.startsWith(OUTPUT) ? "./" + shown : shown;
	}

}
