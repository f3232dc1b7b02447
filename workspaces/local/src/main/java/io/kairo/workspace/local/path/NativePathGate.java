package io.kairo.workspace.local.path;

import java.nio.file.Path;
import java.util.Objects;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PathPolicy;

/**
 * The gate of {@link PathPolicy#ROOTS} and {@link PathPolicy#HOST}, whose paths are
 * spelled as the operating system spells them.
 */
final class NativePathGate implements PathGate {

	private final RootSet roots;

	NativePathGate(RootSet roots) {
		this.roots = roots;
	}

	@Override
	public WorkspacePath root() {
		return this.roots.primary();
	}

	@Override
	public void require(WorkspacePath path) {
		this.roots.require(path);
	}

	@Override
	public WorkspacePath resolve(String argument, WorkspacePath cwd) {
		Objects.requireNonNull(argument, "argument");
		require(cwd);
		PathSyntax.check(argument, argument.replace(cwd.root().getFileSystem().getSeparator(), "/"));
		Path path = PathSyntax.parse(cwd.root().getFileSystem(), argument);
		Path absolute = cwd.toPath().resolve(path).normalize();
		RootSet.Match match = this.roots.match(absolute);
		if (match == null || !isAllowed(match.root(), path, absolute, cwd)) {
			throw PathSyntax.traversal(argument,
					"leads out of the workspace: give a path inside " + this.roots.describe());
		}
		WorkspacePath located = match.path();
		PathSyntax.checkBounds(located);
		return located;
	}

	/**
	 * Returns whether a path is allowed. A path outside the roots is allowed if it was
	 * given as absolute, or if the current directory is outside too and the path is below
	 * it.
	 */
	private boolean isAllowed(Root root, Path path, Path absolute, WorkspacePath cwd) {
		return !this.roots.isFileSystem(root) || path.isAbsolute() || absolute.startsWith(cwd.toPath());
	}

	@Override
	public String display(WorkspacePath path) {
		require(path);
		return path.toPath().toString();
	}

	@Override
	public String display(WorkspacePath path, WorkspacePath cwd) {
		require(path);
		require(cwd);
		Path host = path.toPath();
		Path start = cwd.toPath();
		if (host.equals(start)) {
			return ".";
		}
		return host.startsWith(start) ? PathSyntax.plain(start.relativize(host).toString()) : display(path);
	}

	@Override
	public boolean canSpell(String name) {
		return true;
	}

}
