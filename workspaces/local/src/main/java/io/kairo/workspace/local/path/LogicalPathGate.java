package io.kairo.workspace.local.path;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PathPolicy;

/**
 * The gate of {@link PathPolicy#RELATIVE_ONLY} and {@link PathPolicy#LOGICAL}, whose
 * paths do not show the host.
 */
final class LogicalPathGate implements PathGate {

	/** The path of the root inside a sandbox. */
	private static final String ALIAS = "/workspace";

	/** The path of the root in any spelling of a logical path, and the rest. */
	private static final Pattern ALIASED = Pattern.compile("/(?:\\.?/)*+workspace((?:/.*)?)", Pattern.DOTALL);

	/** The path of the root, and the rest. */
	private static final Pattern EXACT = Pattern.compile(ALIAS + "((?:/.*)?)", Pattern.DOTALL);

	private final PathPolicy policy;

	private final WorkspacePath root;

	/** Refuses the paths of other workspaces. */
	private final Consumer<WorkspacePath> pathCheck;

	/** Refuses the names that the file system cannot have. */
	private final Consumer<String> nameCheck;

	LogicalPathGate(PathPolicy policy, RootSet roots) {
		this(policy, roots.primary(), roots::require,
				(name) -> PathSyntax.parseName(roots.primary().root().getFileSystem(), name));
	}

	/**
	 * Creates the gate of {@link PathPolicy#LOGICAL} over a root that is only a name.
	 */
	LogicalPathGate(Path root) {
		this(PathPolicy.LOGICAL, new WorkspacePath(root, ""), (path) -> {
			if (!path.root().equals(root)) {
				throw PathSyntax.foreign(path);
			}
		}, (name) -> {
		});
	}

	private LogicalPathGate(PathPolicy policy, WorkspacePath root, Consumer<WorkspacePath> pathCheck,
			Consumer<String> nameCheck) {
		this.policy = policy;
		this.root = root;
		this.pathCheck = pathCheck;
		this.nameCheck = nameCheck;
	}

	@Override
	public WorkspacePath root() {
		return this.root;
	}

	@Override
	public void require(WorkspacePath path) {
		this.pathCheck.accept(path);
	}

	@Override
	public WorkspacePath resolve(String argument, WorkspacePath cwd) {
		Objects.requireNonNull(argument, "argument");
		require(cwd);
		String path = argument.replace('\\', '/');
		if (this.policy == PathPolicy.LOGICAL) {
			path = path.strip();
		}
		PathSyntax.check(argument, path);
		Matcher aliased = ((this.policy == PathPolicy.LOGICAL) ? ALIASED : EXACT).matcher(path);
		if (aliased.matches()) {
			return below("", aliased.group(1), argument);
		}
		if (!path.startsWith("/")) {
			return below(cwd.relative(), path, argument);
		}
		if (this.policy == PathPolicy.RELATIVE_ONLY) {
			throw PathSyntax.traversal(argument,
					"is absolute: give a path relative to the current directory, or below " + ALIAS);
		}
		return below("", path, argument);
	}

	private WorkspacePath below(String start, String path, String argument) {
		List<String> names = new ArrayList<>();
		if (!start.isEmpty()) {
			names.add(start);
		}
		for (String name : path.split("/", -1)) {
			if (name.equals("..")) {
				throw PathSyntax.traversal(argument,
						"has a '..' segment: give a path without it, such as one below " + ALIAS);
			}
			if (!canSpell(name)) {
				throw PathSyntax.invalid(argument, "has a name of invisible characters alone: give a visible name");
			}
			if (!name.isEmpty() && !name.equals(".")) {
				this.nameCheck.accept(name);
				names.add(name);
			}
		}
		WorkspacePath composed = new WorkspacePath(this.root.root(), String.join("/", names));
		PathSyntax.checkBounds(composed);
		return composed;
	}

	@Override
	public String display(WorkspacePath path, WorkspacePath cwd) {
		require(path);
		require(cwd);
		if (path.equals(cwd)) {
			return ".";
		}
		if (path.startsWith(cwd)) {
			int start = cwd.isRoot() ? 0 : cwd.relative().length() + 1;
			return closed(opened(PathSyntax.plain(path.relative().substring(start))));
		}
		return display(path);
	}

	@Override
	public String display(WorkspacePath path) {
		require(path);
		String absolute = "/" + path.relative();
		if (this.policy == PathPolicy.LOGICAL && !absolute.equals(ALIAS) && !absolute.startsWith(ALIAS + "/")) {
			return closed(absolute);
		}
		return path.isRoot() ? ALIAS : closed(ALIAS + absolute);
	}

	/**
	 * Protects leading white space from being trimmed.
	 */
	private String opened(String relative) {
		return isTrimmed(relative.codePointAt(0)) ? "./" + relative : relative;
	}

	/**
	 * Protects trailing white space from being trimmed.
	 */
	private String closed(String path) {
		return isTrimmed(path.codePointBefore(path.length())) ? path + "/" : path;
	}

	private boolean isTrimmed(int codePoint) {
		return this.policy == PathPolicy.LOGICAL && Character.isWhitespace(codePoint);
	}

	@Override
	public boolean canSpell(String name) {
		return name.indexOf('\\') < 0 && (name.isBlank() || !WorkspacePath.isBlank(name));
	}

}
