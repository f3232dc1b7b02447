package io.kairo.governance.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.governance.policy.CallTargets.Knowledge;
import io.kairo.governance.policy.PathArguments.Kind;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.edit.ApplyPatchTool;
import org.jspecify.annotations.Nullable;

/**
 * Finds out the targets of one call. For use by one thread.
 */
final class TargetReader {

	private static final Set<String> COMMANDS = Set.of("command", "cmd");

	private static final Set<String> INPUTS = Set.of("BashInput", "command_input");

	private static final Set<String> PATCHES = Set.of("patch", "input", "patch_text", "patchText", "diff");

	private static final Set<String> GLOBS = Set.of("pattern", "glob");

	private static final Set<String> EDITS = Set.of("edits", "changes");

	private static final Set<String> DRY_RUN = Set.of("dry_run", "dryRun");

	private final PathArguments arguments;

	private final ToolCall call;

	private final ToolContext context;

	private final List<PathTarget> paths = new ArrayList<>();

	private boolean unreadable;

	TargetReader(PathArguments arguments, ToolCall call, ToolContext context) {
		this.arguments = arguments;
		this.call = call;
		this.context = context;
	}

	/**
	 * Returns the targets.
	 * @throws WorkspacePathException if an argument of a file tool is not a path into the
	 * workspace
	 */
	CallTargets read() {
		Knowledge knowledge = readPaths();
		List<String> commands = new ArrayList<>();
		boolean input = INPUTS.contains(this.call.name());
		this.call.arguments().forEach((name, value) -> {
			if (value != null && (COMMANDS.contains(name) || (input && name.equals("text")))) {
				commands.add(String.valueOf(value));
			}
		});
		return new CallTargets(List.copyOf(this.paths), knowledge, List.copyOf(commands), !input);
	}

	private Knowledge readPaths() {
		Kind kind = this.arguments.kind(this.call.name());
		Set<String> configured = this.arguments.configured(this.call.name());
		if (kind != null) {
			this.call.arguments().forEach((name, value) -> readArgument(kind, name, value));
			if (kind.optional() && this.paths.isEmpty()) {
				add(this.context.resolve(null), kind.tree());
			}
			return (this.unreadable || this.paths.isEmpty()) ? Knowledge.UNREADABLE : Knowledge.COMPLETE;
		}
		if (configured != null) {
			this.call.arguments().forEach((name, value) -> {
				if (configured.contains(name)) {
					readPaths(value, Kind.TREE);
				}
			});
			return this.unreadable ? Knowledge.UNREADABLE : Knowledge.COMPLETE;
		}
		guess(this.call.arguments());
		return Knowledge.UNBOUNDED;
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
	 * Reads the directory where a glob starts. One that goes up or is absolute may start
	 * anywhere.
	 */
	private void readGlob(String glob) {
		if (glob.startsWith("/") || glob.contains("..") || glob.contains("\\") || glob.contains(":")) {
			this.unreadable = true;
			return;
		}
		int end = 0;
		for (int slash = glob.indexOf('/'); slash >= 0; slash = glob.indexOf('/', slash + 1)) {
			if (glob.substring(end, slash).chars().anyMatch((c) -> "*?[]{}".indexOf(c) >= 0)) {
				break;
			}
			end = slash + 1;
		}
		if (end > 0) {
			Object base = PathArguments.PATHS.stream()
				.map((name) -> this.call.arguments().get(name))
				.filter((given) -> given != null && !WorkspacePath.isBlank(String.valueOf(given)))
				.findFirst()
				.orElse(".");
			add(this.context.resolve(base + "/" + glob.substring(0, end)), false);
		}
	}

	/**
	 * Reads what may be a path of a tool that is not known.
	 */
	private void guess(@Nullable Object value) {
		if (value instanceof List<?> list) {
			list.forEach(this::guess);
		}
		else if (value instanceof Map<?, ?> fields) {
			fields.forEach((name, field) -> {
				if (field instanceof String path && PathArguments.PATHS.contains(String.valueOf(name))) {
					guessPath(path);
				}
				else {
					guess(field);
				}
			});
		}
	}

	private void guessPath(String path) {
		try {
			add(this.context.resolve(path), true);
		}
		catch (WorkspacePathException ex) {
			// not a path of the workspace
		}
	}

	private void add(WorkspacePath path, boolean tree) {
		this.paths.add(new PathTarget(path.relative(), this.context.files().identity(path).relative(), tree));
	}

}
