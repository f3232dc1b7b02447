package io.kairo.tools.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.tools.ToolContext;

/**
 * A mask for host paths in messages about a workspace whose path policy hides them.
 * Immutable.
 *
 * @param names the replacements by host path, the longest path first; empty if host paths
 * may be shown
 */
record HostPathMask(Map<String, String> names) {

	/**
	 * The name of the workspace root if host paths are hidden.
	 */
	static final String ROOT = "/workspace";

	private static final String ELSEWHERE = "(a directory outside of the workspace)";

	/**
	 * Returns the mask of the workspace of a call, empty if its path policy shows host
	 * paths.
	 */
	static HostPathMask of(ToolContext context) {
		Map<String, String> names = new TreeMap<>(
				Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));
		if (hidesHostPaths(context.files())) {
			Workspace workspace = context.currentWorkspace();
			workspace.borrowedDirectories().forEach((directory) -> add(names, directory, ELSEWHERE));
			workspace.roots().forEach((root) -> add(names, root, ELSEWHERE));
			workspace.roots().forEach((root) -> add(names, context.files().location(root), ELSEWHERE));
			add(names, workspace.root(), ROOT);
			add(names, context.files().location(workspace.root()), ROOT);
		}
		return new HostPathMask(names);
	}

	/**
	 * Returns whether the files hide host paths. A root whose host path equals the path
	 * that commands see needs no masking.
	 */
	static boolean hidesHostPaths(WorkspaceFiles files) {
		String host = files.root().toPath().toString();
		return !host.equals(ROOT) && !files.display(files.root()).equals(host);
	}

	private static void add(Map<String, String> names, Path directory, String name) {
		names.put(directory.toString(), name);
		try {
			names.put(directory.toRealPath().toString(), name);
		}
		catch (IOException ex) {
			// a missing directory has no real path
			names.put(directory.normalize().toString(), name);
		}
	}

	/**
	 * Returns whether host paths must be hidden.
	 */
	boolean hidden() {
		return !this.names.isEmpty();
	}

	/**
	 * Masks the host paths in a text.
	 */
	String in(String text) {
		String shown = text;
		for (Map.Entry<String, String> name : this.names.entrySet()) {
			shown = Pattern.compile(Pattern.quote(name.getKey()) + "(?![^/\\s'\"),:;])")
				.matcher(shown)
				.replaceAll(Matcher.quoteReplacement(name.getValue()));
		}
		return shown;
	}

}
