package io.kairo.governance.policy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.governance.policy.CallTargets.Knowledge;
import io.kairo.governance.policy.PathArguments.Kind;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.edit.ApplyPatchTool;
import org.jspecify.annotations.Nullable;

/**
 * Finds out the targets of one call. For use by one thread.
 */
final class TargetReader {

	private static final Set<String> COMMANDS = Set.of("command", "cmd");

	private static final Set<String> PATCHES = Set.of("patch", "input", "patch_text", "patchText", "diff");

	private static final Set<String> GLOBS = Set.of("pattern", "glob");

	/** Maximum length of a glob that the tools accept. */
	private static final int MAX_GLOB = 4096;

	private static final Set<String> EDITS = Set.of("edits", "changes");

	private static final Set<String> DRY_RUN = Set.of("dry_run", "dryRun");

	private final ToolCall call;

	private final @Nullable ToolDefinition tool;

	private final @Nullable Set<String> pathArguments;

	private final ToolContext context;

	private final List<PathTarget> paths = new ArrayList<>();

	private final List<String> commands = new ArrayList<>();

	private boolean unreadable;

	/**
	 * Creates a reader.
	 * @param tool the definition of the tool, null if it is not known
	 * @param pathArguments the configured names of the arguments that are paths, null if
	 * they are not configured
	 */
	TargetReader(ToolCall call, @Nullable ToolDefinition tool, @Nullable Set<String> pathArguments,
			ToolContext context) {
		this.call = call;
		this.tool = tool;
		this.pathArguments = pathArguments;
		this.context = context;
	}

	/**
	 * Returns the targets.
	 * @throws WorkspacePathException if an argument of a file tool is not a path into the
	 * workspace
	 */
	CallTargets read() {
		String identity = (this.tool != null) ? this.tool.identity() : null;
		return (identity != null) ? readBundled(identity) : readOther();
	}

	private CallTargets readBundled(String identity) {
		Knowledge knowledge = readPaths(PathArguments.kind(identity));
		boolean input = identity.equals("BashInput");
		readCommands(input ? Set.of("text") : identity.equals("Bash") ? COMMANDS : Set.of());
		return targets(knowledge, input ? Knowledge.UNBOUNDED : Knowledge.COMPLETE);
	}

	private CallTargets targets(Knowledge knowledge, Knowledge commandKnowledge) {
		return new CallTargets(List.copyOf(this.paths), knowledge, List.copyOf(this.commands), commandKnowledge);
	}

	private Knowledge readPaths(@Nullable Kind kind) {
		if (kind == null) {
			return Knowledge.UNBOUNDED;
		}
		this.call.arguments().forEach((name, value) -> readArgument(kind, name, value));
		if (kind.optional() && this.paths.isEmpty()) {
			add(this.context.resolve(null), kind.tree());
		}
		return (this.unreadable || this.paths.isEmpty()) ? Knowledge.UNREADABLE : Knowledge.COMPLETE;
	}

	/**
	 * Reads the arguments of a tool of the application, as far as it declares them. An
	 * argument that is not in its schema may be another name of a declared one.
	 */
	private CallTargets readOther() {
		ToolAnnotations annotations = (this.tool != null) ? this.tool.annotations() : null;
		Set<String> declaredPaths = (annotations != null) ? annotations.paths() : null;
		Set<String> declaredCommands = (annotations != null) ? annotations.commands() : null;
		Set<String> known = new HashSet<>((this.pathArguments != null) ? this.pathArguments : Set.of());
		known.addAll((declaredPaths != null) ? declaredPaths : Set.of());
		this.call.arguments().forEach((name, value) -> {
			if (known.contains(name)) {
				readPaths(value, Kind.TREE);
			}
		});
		readCommands((declaredCommands != null) ? declaredCommands : COMMANDS);
		known.addAll((declaredCommands != null) ? declaredCommands : Set.of());
		if (this.tool != null && this.tool.inputSchema().get("properties") instanceof Map<?, ?> properties) {
			properties.keySet().forEach((name) -> known.add(String.valueOf(name)));
		}
		boolean readable = !this.unreadable && known.containsAll(this.call.arguments().keySet());
		boolean pathsKnown = (declaredPaths != null || this.pathArguments != null) ? readable
				: this.call.arguments().isEmpty();
		boolean runsNothing = annotations != null && !annotations.needsCommands();
		return targets(pathsKnown ? Knowledge.COMPLETE : Knowledge.UNREADABLE,
				(declaredCommands != null) ? (readable ? Knowledge.COMPLETE : Knowledge.UNREADABLE)
						: (runsNothing ? Knowledge.UNBOUNDED : Knowledge.UNREADABLE));
	}

	private void readCommands(Set<String> names) {
		this.call.arguments().forEach((name, value) -> {
			if (value != null && names.contains(name)) {
				(value instanceof List<?> list ? list : List.of(value))
					.forEach((command) -> this.commands.add(String.valueOf(command)));
			}
		});
	}

	private void readArgument(Kind kind, String name, @Nullable Object value) {
		if (value == null) {
			return;
		}
		if (kind == Kind.PATCH) {
			readPatch(name, value);
		}
		else if (PathArguments.PATHS.contains(name)) {
			readPaths(value, kind);
		}
		else if (kind == Kind.EDITS && EDITS.contains(name)) {
			readEdits(value);
		}
		else if (!PathArguments.OTHERS.contains(name)) {
			this.unreadable = true;
		}
		if (kind == Kind.GLOB && GLOBS.contains(name)) {
			readGlob(String.valueOf(value));
		}
	}

	/**
	 * Reads a path or a list of paths. Numbers and booleans become text, as when a tool
	 * binds its arguments.
	 */
	private void readPaths(@Nullable Object value, Kind kind) {
		if (value instanceof List<?> list) {
			list.forEach((element) -> readPaths(element, kind));
		}
		else if (value instanceof Map<?, ?>) {
			this.unreadable = true;
		}
		else if (value != null) {
			String path = String.valueOf(value);
			add(kind.optional() ? this.context.resolveOptional(path) : this.context.resolve(path), kind.tree());
		}
	}

	private void readEdits(Object value) {
		if (!(value instanceof List<?> edits)) {
			this.unreadable = true;
			return;
		}
		for (Object edit : edits) {
			if (edit instanceof Map<?, ?> fields) {
				fields.forEach((name, field) -> readArgument(Kind.FILE, String.valueOf(name), field));
			}
			else {
				this.unreadable = true;
			}
		}
	}

	private void readPatch(String name, Object value) {
		if (PATCHES.contains(name)) {
			ApplyPatchTool.paths(String.valueOf(value), this.context).forEach((path) -> add(path, true));
		}
		else if (!DRY_RUN.contains(name)) {
			this.unreadable = true;
		}
	}

	/**
	 * Reads the directory where a glob starts, or the globs of a list. A glob that goes
	 * up or is absolute may start anywhere.
	 */
	private void readGlob(String glob) {
		if (glob.length() > MAX_GLOB || glob.startsWith("/") || glob.contains("..") || glob.contains("\\")
				|| glob.contains(":")) {
			this.unreadable = true;
			return;
		}
		readGlobStart(glob);
		int depth = 0;
		int start = 0;
		for (int i = 0; i < glob.length(); i++) {
			char c = glob.charAt(i);
			// a brace in a class is none, so braces beside classes separate too
			depth += (glob.indexOf('[') >= 0) ? 0 : (c == '{') ? 1 : (c == '}') ? -1 : 0;
			if (depth <= 0 && (c == ',' || Character.isWhitespace(c))) {
				readGlobStart(glob.substring(start, i));
				start = i + 1;
			}
		}
		if (start > 0) {
			readGlobStart(glob.substring(start));
			add(this.context.resolveOptional(globDirectory()), false);
		}
	}

	private void readGlobStart(String glob) {
		int end = 0;
		for (int slash = glob.indexOf('/'); slash >= 0; slash = glob.indexOf('/', slash + 1)) {
			if (glob.substring(end, slash).chars().anyMatch((c) -> "*?[]{}".indexOf(c) >= 0)) {
				break;
			}
			end = slash + 1;
		}
		if (end > 0) {
			add(this.context.resolve(globDirectory() + "/" + glob.substring(0, end)), false);
		}
	}

	private String globDirectory() {
		return PathArguments.PATHS.stream()
			.map((name) -> this.call.arguments().get(name))
			.filter((given) -> given != null && !WorkspacePath.isBlank(String.valueOf(given)))
			.map(String::valueOf)
			.findFirst()
			.orElse(".");
	}

	private void add(WorkspacePath path, boolean tree) {
		this.paths.add(new PathTarget(path.relative(), this.context.files().identity(path).relative(), path, tree));
	}

}
