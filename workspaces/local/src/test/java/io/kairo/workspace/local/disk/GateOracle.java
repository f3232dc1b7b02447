package io.kairo.workspace.local.disk;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PathPolicy;

/**
 * Resolves an argument by a plain implementation of the policies on strings.
 */
record GateOracle(PathPolicy policy, List<Path> roots) {

	/**
	 * Returns the root and the path below it as {@code root:path}, or an error code.
	 * @param cwd the current directory as an absolute path
	 */
	String resolve(String argument, String cwd) {
		String text = this.policy.hidesHost() ? argument.replace('\\', '/') : argument;
		if (this.policy == PathPolicy.LOGICAL) {
			text = text.strip();
		}
		boolean tooLong = length(text) > 4096 || Stream.of(text.split("/")).anyMatch((name) -> length(name) > 255);
		if (isInvisible(text) || tooLong || text.contains("\ud800")
				|| text.chars().anyMatch((c) -> c < 32 || (c >= 127 && c < 160))) {
			return "invalid_path";
		}
		return this.policy.hidesHost() ? logical(text, cwd) : host(text, cwd);
	}

	/**
	 * Creates the path of an entry in a root.
	 */
	WorkspacePath path(String absolute) {
		String found = host(absolute, absolute);
		int colon = found.indexOf(':');
		return new WorkspacePath(Path.of(found.substring(0, colon)), found.substring(colon + 1));
	}

	private static boolean isInvisible(String text) {
		return text.replaceAll("[\\p{Z}\\p{Cf}]", "").isBlank();
	}

	private static int length(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

	private String logical(String text, String cwd) {
		String root = this.roots.get(0).toString();
		String whole;
		List<String> given = Stream.of(text.split("/")).filter((name) -> !name.isEmpty() && !name.equals(".")).toList();
		boolean aliased = (this.policy == PathPolicy.RELATIVE_ONLY) ? (text + "/").startsWith("/workspace/")
				: text.startsWith("/") && !given.isEmpty() && given.get(0).equals("workspace");
		if (aliased) {
			whole = text.substring(text.indexOf("workspace") + "workspace".length());
		}
		else if (text.startsWith("/")) {
			if (this.policy == PathPolicy.RELATIVE_ONLY) {
				return "path_traversal_blocked";
			}
			whole = text;
		}
		else {
			whole = cwd.substring(root.length()) + "/" + text;
		}
		List<String> names = List.of(whole.split("/"));
		for (String name : names) {
			if (name.equals("..")) {
				return "path_traversal_blocked";
			}
			if (!name.isBlank() && isInvisible(name)) {
				return "invalid_path";
			}
		}
		return root + ":"
				+ String.join("/", names.stream().filter((name) -> !name.isEmpty() && !name.equals(".")).toList());
	}

	private String host(String text, String cwd) {
		boolean absolute = text.startsWith("/");
		Deque<String> names = new ArrayDeque<>();
		for (String name : (absolute ? text : cwd + "/" + text).split("/")) {
			if (name.equals("..")) {
				names.pollLast();
			}
			else if (!name.isEmpty() && !name.equals(".")) {
				names.addLast(name);
			}
		}
		String whole = "/" + String.join("/", names);
		String longest = "";
		for (Path root : this.roots) {
			if ((whole + "/").startsWith(root + "/") && root.toString().length() > longest.length()) {
				longest = root.toString();
			}
		}
		if (!longest.isEmpty()) {
			return longest + ":" + (whole.equals(longest) ? "" : whole.substring(longest.length() + 1));
		}
		boolean belowCwd = cwd.equals("/") || (whole + "/").startsWith(cwd + "/");
		return (this.policy == PathPolicy.HOST && (absolute || belowCwd)) ? "/:" + whole.substring(1)
				: "path_traversal_blocked";
	}

}
