package io.kairo.tools;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.workspace.WorkspaceFiles;
import org.jspecify.annotations.Nullable;

/**
 * Where a command sees the primary root: where file tools say that it is. So a path means
 * the same to both, and a path policy that hides the host holds for what commands print.
 */
final class RootTarget {

	/** Where it is for file tools that have no name for the root but a slash. */
	private static final String UNNAMED = "/workspace";

	private RootTarget() {
	}

	/**
	 * Returns the place.
	 * @return null for the path of the host: file tools show that, or the sandbox cannot
	 * show the root elsewhere
	 */
	static @Nullable String of(ToolContext context) {
		WorkspaceFiles files = context.files();
		String shown = files.display(files.root());
		if (shown.equals(files.root().toPath().toString()) || !shown.startsWith("/")
				|| !context.sandbox().capabilities(context.tenant()).has(SandboxCapability.MOUNTS)) {
			return null;
		}
		return shown.equals("/") ? UNNAMED : shown;
	}

}
