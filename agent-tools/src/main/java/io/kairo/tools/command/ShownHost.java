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
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.tools.ToolContext;

/**
 * What is shown in place of the host's directories where the files of a workspace have
 * names of their own. Immutable.
 *
 * @param names what is shown, by the host path that it stands for, the longest first;
 * empty where the host's own paths are shown
 */
record ShownHost(Map<String, String> names) {

	/**
	 * The root of the workspace, as it is called where the host's paths are not.
	 */
	static final String ROOT = "/workspace";

	private static final String ELSEWHERE = "(a directory outside of the workspace)";

	/**
	 * Finds out by the gate of the files whether they show host paths.
	 */
	static ShownHost of(ToolContext context) {
		Map<String, String> names = new TreeMap<>(
				Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));
		if (hides(context.files())) {
			Workspace workspace = context.currentWorkspace();
			workspace.borrowedDirectories().forEach((directory) -> add(names, directory, ELSEWHERE));
			workspace.roots().forEach((root) -> add(names, root, ELSEWHERE));
			add(names, workspace.root(), ROOT);
		}
		return new ShownHost(names);
	}

	private static boolean hides(WorkspaceFiles files) {
		try {
			return !files.root().toPath().equals(Path.of(ROOT))
					&& files.resolve(ROOT, files.root()).equals(files.root());
		}
		catch (WorkspacePathException ex) {
			return false;
		}
	}

	private static void add(Map<String, String> names, Path directory, String name) {
		names.put(directory.toString(), name);
		try {
			names.put(directory.toRealPath().toString(), name);
		}
		catch (IOException ex) {
			// what is not there has one path only
			names.put(directory.normalize().toString(), name);
		}
	}

	/**
	 * Returns whether the host's paths are not to be shown.
	 */
	boolean hidden() {
		return !this.names.isEmpty();
	}

	/**
	 * Returns a text with the names in place of the paths.
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
