package io.kairo.tools.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.tools.ToolContext;
import org.jspecify.annotations.Nullable;

/**
 * The directories that a command sees, and those it may change: the ones open to the file
 * tools by the write policy, as far as the sandbox can enforce it.
 *
 * @param readOnly whether the primary root is read-only, except for the mounts within
 * @param mounts the directories that the command sees besides the primary root
 * @param protectedPaths the paths below each root that may not be changed
 * @param workspaceTarget the path of the primary root for the command, null for its host
 * path
 */
record CommandBounds(boolean readOnly, List<Mount> mounts, List<String> protectedPaths,
		@Nullable String workspaceTarget) {

	CommandBounds(boolean readOnly, List<Mount> mounts, List<String> protectedPaths) {
		this(readOnly, mounts, protectedPaths, null);
	}

	/**
	 * Derives the bounds of a command. Looks at the roots and the allowed prefixes, but
	 * at no files below them.
	 */
	static CommandBounds of(ToolContext context, List<String> protectedPaths) {
		Workspace workspace = context.currentWorkspace();
		WritePolicy policy = context.files().writePolicy();
		SandboxCapabilities capabilities = context.sandbox().capabilities(context.tenant());
		boolean writable = workspace.writable() && !policy.readOnly();
		boolean placed = capabilities.has(SandboxCapability.MOUNTS);
		if (!placed && !capabilities.has(SandboxCapability.FILE_CONFINEMENT)) {
			// the command sees all directories
			return new CommandBounds(!writable, List.of(), protectedPaths);
		}
		List<String> prefixes = outermost(policy.allowedPrefixes());
		boolean everywhere = prefixes.isEmpty() || prefixes.contains("") || !placed;
		WorkspaceFiles files = context.files();
		boolean hidden = HostPathMask.hidesHostPaths(files);
		String target = !placed ? null : hidden ? HostPathMask.ROOT
				: isElsewhere(workspace.root(), files) ? workspace.root().toString() : null;
		List<Mount> mounts = new ArrayList<>();
		workspace.borrowedDirectories().forEach((directory) -> mounts.add(new Mount(directory, false)));
		for (Path root : names(workspace)) {
			boolean primary = root.equals(workspace.root());
			// skips roots that have no name for commands, and missing ones: they would
			// fail every command
			if (!primary && (hidden || !isDirectory(root, files))) {
				continue;
			}
			Path location = files.location(root);
			String name = primary ? target : (placed && isElsewhere(root, files)) ? root.toString() : null;
			if (!primary) {
				mounts.add(mount(location, name, writable && everywhere));
			}
			if (writable && !everywhere) {
				prefixes.stream()
					.filter((prefix) -> isThere(root, prefix, files))
					.forEach((prefix) -> mounts
						.add(mount(location.resolve(prefix), (name != null) ? name + "/" + prefix : null, true)));
			}
		}
		return new CommandBounds(!writable || !everywhere, mounts, protectedPaths, target);
	}

	private static List<Path> names(Workspace workspace) {
		return Stream.concat(workspace.roots().stream(), workspace.rootAliases().keySet().stream()).toList();
	}

	private static boolean isElsewhere(Path root, WorkspaceFiles files) {
		return !files.location(root).equals(root);
	}

	private static Mount mount(Path directory, @Nullable String target, boolean writable) {
		return (target != null) ? new Mount(directory, target, writable) : new Mount(directory, writable);
	}

	/**
	 * Removes prefixes below others: a command could replace them by a link.
	 */
	private static List<String> outermost(List<String> prefixes) {
		return prefixes.stream()
			.distinct()
			.filter((prefix) -> prefixes.stream().noneMatch((other) -> prefix.startsWith(other + "/")))
			.toList();
	}

	private static boolean isDirectory(Path root, WorkspaceFiles files) {
		WorkspacePath located = files.locate(root);
		return located != null && files.info(located) instanceof WorkspaceResult.Ok<FileInfo> ok
				&& ok.value().type() == FileType.DIRECTORY;
	}

	private static boolean isThere(Path root, String prefix, WorkspaceFiles files) {
		WorkspacePath located = files.locate(root.resolve(prefix));
		return located != null && files.info(located) instanceof WorkspaceResult.Ok<FileInfo>;
	}

}
