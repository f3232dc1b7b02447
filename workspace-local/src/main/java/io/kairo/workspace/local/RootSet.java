package io.kairo.workspace.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * The roots of a workspace, in their order and without duplicates. Knows which root an
 * absolute path belongs to. Immutable.
 */
final class RootSet implements GateRoots {

	private final List<Root> roots;

	/** The whole file system, where it may be named. */
	private final @Nullable Root fileSystem;

	private RootSet(List<Root> roots, @Nullable Root fileSystem) {
		this.roots = roots;
		this.fileSystem = fileSystem;
	}

	/**
	 * Creates the set.
	 * @param directories the roots as they were configured, the primary one first
	 * @param policy says which of them have a name
	 * @param hidden the directory that is not there
	 * @param realPaths finds the real path of a root
	 */
	static RootSet of(List<Path> directories, PathPolicy policy, HiddenDirectory hidden,
			UnaryOperator<Path> realPaths) {
		List<Path> distinct = directories.stream()
			.map((directory) -> directory.toAbsolutePath().normalize())
			.distinct()
			.limit(policy.hidesHost() ? 1 : Integer.MAX_VALUE)
			.toList();
		List<Root> roots = new ArrayList<>();
		for (Path directory : distinct) {
			add(roots, new RootFinder(distinct, hidden, realPaths).find(directory));
		}
		return new RootSet(List.copyOf(roots), (policy == PathPolicy.HOST) ? fileSystem(roots) : null);
	}

	private static @Nullable Root fileSystem(List<Root> roots) {
		Path top = roots.get(0).path().getRoot();
		return roots.stream().anyMatch((root) -> root.path().equals(top)) ? null
				: new Root(top, List.of(top), new Start(top, List.of()));
	}

	private static void add(List<Root> roots, Root added) {
		for (int i = 0; i < roots.size(); i++) {
			Root known = roots.get(i);
			if (known.real().equals(added.real())) {
				List<Path> spellings = new ArrayList<>(known.spellings());
				spellings.addAll(added.spellings());
				roots.set(i, new Root(known.path(), List.copyOf(spellings), known.start()));
				return;
			}
		}
		roots.add(added);
	}

	@Override
	public WorkspacePath primary() {
		return new WorkspacePath(this.roots.get(0).path(), "");
	}

	List<Root> all() {
		return this.roots;
	}

	/**
	 * Finds the path of the workspace that an absolute path spells.
	 * @param absolute a normalised path
	 * @return the path below the longest root that contains it, null if there is none
	 */
	@Nullable WorkspacePath locate(Path absolute) {
		Match match = match(absolute);
		return (match != null) ? new WorkspacePath(match.root().path(),
				match.rest().stream().map(Path::toString).collect(Collectors.joining("/"))) : null;
	}

	/**
	 * Finds the path of a root that a host path spells.
	 * @param absolute a normalised path of any kind of names
	 * @return the path below the longest root that contains it; null if there is none, or
	 * if a name cannot be in a {@link WorkspacePath}, or there are too many
	 */
	@Nullable WorkspacePath locateInRoots(Path absolute) {
		if (absolute.toString().chars().anyMatch(Character::isISOControl)) {
			return null;
		}
		WorkspacePath located = locate(absolute);
		return (located != null && !isFileSystem(located) && PathGate.fits(located)) ? located : null;
	}

	/**
	 * Finds how to reach what an absolute path spells.
	 * @param absolute a path that need not be normalised
	 * @return how to reach it, null if it is in none of the roots
	 */
	@Nullable Start start(Path absolute) {
		Match match = match(absolute);
		return (match != null) ? match.root().start().then(match.rest()) : null;
	}

	/**
	 * Finds how to reach a path of this workspace.
	 */
	Start start(WorkspacePath path) {
		Root root = require(path);
		PathSyntax.checkBounds(path);
		List<Path> names = new ArrayList<>();
		if (!path.isRoot()) {
			for (String name : path.relative().split("/", -1)) {
				names.add(PathSyntax.parseName(path.root().getFileSystem(), name));
			}
		}
		return root.start().then(names);
	}

	@Override
	public void check(WorkspacePath path) {
		require(path);
	}

	@Override
	public void checkName(String name) {
		PathSyntax.parseName(primary().root().getFileSystem(), name);
	}

	/**
	 * Finds the root of a path of this workspace.
	 * @throws io.kairo.api.workspace.WorkspacePathException if it is of another one
	 */
	Root require(WorkspacePath path) {
		for (Root root : this.roots) {
			if (root.spellings().contains(path.root())) {
				return root;
			}
		}
		if (this.fileSystem != null && this.fileSystem.path().equals(path.root())) {
			return this.fileSystem;
		}
		throw PathSyntax.foreign(path);
	}

	boolean isFileSystem(WorkspacePath path) {
		return this.fileSystem != null && require(path).equals(this.fileSystem);
	}

	/**
	 * Names the roots for a message.
	 */
	String describe() {
		String names = this.roots.stream()
			.limit(3)
			.map((root) -> root.path().toString())
			.collect(Collectors.joining(", "));
		return (this.roots.size() > 3) ? names + " and " + (this.roots.size() - 3) + " more" : names;
	}

	private @Nullable Match match(Path absolute) {
		Match longest = null;
		for (Root root : this.roots) {
			for (Path spelling : root.spellings()) {
				if (absolute.startsWith(spelling) && (longest == null || longest.length() < spelling.getNameCount())) {
					longest = new Match(root, spelling.getNameCount(), absolute);
				}
			}
		}
		if (longest == null && this.fileSystem != null && absolute.startsWith(this.fileSystem.path())) {
			return new Match(this.fileSystem, 0, absolute);
		}
		return longest;
	}

	/**
	 * A root that an absolute path starts with.
	 */
	private record Match(Root root, int length, Path absolute) {

		List<Path> rest() {
			return Start.names(this.absolute, this.length);
		}

	}

	/**
	 * Finds out where the descent to a root starts.
	 */
	private record RootFinder(List<Path> directories, HiddenDirectory hidden, UnaryOperator<Path> realPaths) {

		Root find(Path directory) {
			Path real = this.realPaths.apply(directory);
			Path outer = this.directories.stream()
				.filter((other) -> directory.startsWith(other) && !directory.equals(other)
						&& !this.hidden.isBetween(this.realPaths.apply(other), real))
				.min(Comparator.comparingInt(Path::getNameCount))
				.orElse(null);
			Start start = (outer != null)
					? new Start(this.realPaths.apply(outer), Start.names(directory, outer.getNameCount()))
					: new Start(real, List.of());
			Path reached = start.toPath();
			return new Root(directory, directory.equals(reached) ? List.of(directory) : List.of(directory, reached),
					start);
		}

	}

}
