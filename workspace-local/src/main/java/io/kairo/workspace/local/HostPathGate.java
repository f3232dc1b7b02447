package io.kairo.workspace.local;

import java.nio.file.Path;
import java.util.Objects;

import io.kairo.api.workspace.WorkspacePath;

/**
 * The gate of {@link PathPolicy#ROOTS} and {@link PathPolicy#HOST}: paths are spelled as
 * the operating system spells them.
 */
final class HostPathGate implements PathGate {

	private final RootSet roots;

	HostPathGate(RootSet roots) {
		this.roots = roots;
	}

	@Override
	public WorkspacePath root() {
		return this.roots.primary();
	}

	@Override
	public void require(WorkspacePath path) {
		this.roots.check(path);
	}

	@Override
	public WorkspacePath resolve(String argument, WorkspacePath cwd) {
		Objects.requireNonNull(argument, "argument");
		require(cwd);
		PathSyntax.check(argument, argument.replace(cwd.root().getFileSystem().getSeparator(), "/"));
		Path path = PathSyntax.parse(cwd.root().getFileSystem(), argument);
		Path absolute = cwd.toPath().resolve(path).normalize();
		WorkspacePath located = this.roots.locate(absolute);
		if (located == null || !isAllowed(located, path, absolute, cwd)) {
			throw PathSyntax.traversal(argument,
					"leads out of the workspace: give a path inside " + this.roots.describe());
		}
		PathSyntax.checkBounds(located);
		return located;
	}

	/**
	 * Outside the roots only what is written as an absolute path, or is below a current
	 * directory that is outside itself, is allowed.
	 */
	private boolean isAllowed(WorkspacePath located, Path path, Path absolute, WorkspacePath cwd) {
		return !this.roots.isFileSystem(located) || path.isAbsolute() || absolute.startsWith(cwd.toPath());
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
