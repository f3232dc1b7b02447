package io.kairo.workspace.local.path;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PathPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The roots of a workspace, in their order and without duplicates. Finds the root of an
 * absolute path and the route to it. Immutable.
 */
public final class RootSet {

	private final List<Root> roots;

	/** The whole file system, if the policy allows paths outside the roots. */
	private final @Nullable Root fileSystem;

	private RootSet(List<Root> roots, @Nullable Root fileSystem) {
		this.roots = roots;
		this.fileSystem = fileSystem;
	}

	/**
	 * Creates the set.
	 * @param directories the roots as they were configured, the primary one first
	 * @param aliases the roots by their other names
	 * @param policy decides whether a root has a name
	 * @param apart returns true if the second root, inside the first, must not be reached
	 * through the first
	 * @param realPaths finds the real path of a root
	 * @return the set
	 */
	public static RootSet of(List<Path> directories, Map<Path, Path> aliases, PathPolicy policy,
			BiPredicate<Path, Path> apart, UnaryOperator<Path> realPaths) {
		List<Path> distinct = directories.stream()
			.map((directory) -> directory.toAbsolutePath().normalize())
			.distinct()
			.limit(policy.hidesHost() ? 1 : Integer.MAX_VALUE)
			.toList();
		RootFinder finder = new RootFinder(distinct, apart, realPaths);
		List<Root> roots = new ArrayList<>();
		distinct.forEach((directory) -> add(roots, finder.find(directory)));
		aliases.forEach((alias, root) -> roots
			.replaceAll((known) -> known.spellings().contains(root) ? known.knownAs(alias) : known));
		return new RootSet(List.copyOf(roots), (policy == PathPolicy.HOST) ? fileSystem(roots) : null);
	}

	private static @Nullable Root fileSystem(List<Root> roots) {
		Path top = roots.get(0).path().getRoot();
		return roots.stream().anyMatch((root) -> root.path().equals(top)) ? null
				: new Root(top, List.of(top), new Route(top, List.of()));
	}

	private static void add(List<Root> roots, Root added) {
		for (int i = 0; i < roots.size(); i++) {
			Root known = roots.get(i);
			if (known.real().equals(added.real())) {
				roots.set(i, known.knownAs(added.spellings().toArray(Path[]::new)));
				return;
			}
		}
		roots.add(added);
	}

	/**
	 * Returns the primary root.
	 * @return the path of the root itself
	 */
	public WorkspacePath primary() {
		return new WorkspacePath(this.roots.get(0).path(), "");
	}

	/**
	 * Returns the roots.
	 * @return the roots, the primary one first
	 */
	public List<Root> all() {
		return this.roots;
	}

	/**
	 * Returns the directories that contain everything that is reached through this set.
	 * @return the real paths
	 */
	public List<Path> realPaths() {
		List<Path> paths = new ArrayList<>(this.roots.stream().map(Root::real).toList());
		if (this.fileSystem != null) {
			paths.add(this.fileSystem.real());
		}
		return paths;
	}

	/**
	 * Finds the path below a root that a host path spells.
	 * @param absolute a normalised path with any names
	 * @return the path below the longest root that contains it; null if there is none, or
	 * if it cannot be a {@link WorkspacePath} for a control character, its length or its
	 * number of names
	 */
	public @Nullable WorkspacePath locateInRoots(Path absolute) {
		if (absolute.toString().chars().anyMatch(Character::isISOControl)) {
			return null;
		}
		Match match = match(absolute);
		if (match == null || isFileSystem(match.root())) {
			return null;
		}
		WorkspacePath located = match.path();
		return PathSyntax.fits(located) ? located : null;
	}

	/**
	 * Finds the route to an absolute path.
	 * @param absolute a path that need not be normalised
	 * @return the route, null if the path is in none of the roots
	 */
	public @Nullable Route route(Path absolute) {
		Match match = match(absolute);
		return (match != null) ? match.root().route().then(match.names()) : null;
	}

	/**
	 * Finds the route to a path of this workspace. The names are checked, as the path
	 * need not come from a gate.
	 * @param path any path
	 * @return the route
	 * @throws io.kairo.api.workspace.WorkspacePathException if the path belongs to
	 * another workspace, exceeds a bound, or has a name that the file system cannot have
	 */
	public Route route(WorkspacePath path) {
		Root root = require(path);
		PathSyntax.checkBounds(path);
		List<Path> names = new ArrayList<>();
		if (!path.isRoot()) {
			for (String name : path.relative().split("/", -1)) {
				names.add(PathSyntax.parseName(path.root().getFileSystem(), name));
			}
		}
		return root.route().then(names);
	}

	/**
	 * Returns the root of a path.
	 * @throws io.kairo.api.workspace.WorkspacePathException if the path belongs to
	 * another workspace
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

	boolean isFileSystem(Root root) {
		return root.equals(this.fileSystem);
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

	/**
	 * Finds the longest root that an absolute path starts with.
	 * @return the match, null if the path is in none of the roots
	 */
	@Nullable Match match(Path absolute) {
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
	 * An absolute path and the root that it starts with.
	 *
	 * @param root the root
	 * @param length number of names of the root in the absolute path
	 * @param absolute the absolute path
	 */
	record Match(Root root, int length, Path absolute) {

		/**
		 * Returns the names below the root.
		 */
		List<Path> names() {
			return Route.names(this.absolute, this.length);
		}

		WorkspacePath path() {
			return new WorkspacePath(this.root.path(),
					names().stream().map(Path::toString).collect(Collectors.joining("/")));
		}

	}

	/**
	 * Finds the route to a root.
	 */
	private record RootFinder(List<Path> directories, BiPredicate<Path, Path> apart, UnaryOperator<Path> realPaths) {

		Root find(Path directory) {
			Path real = this.realPaths.apply(directory);
			Path outer = this.directories.stream()
				.filter((other) -> directory.startsWith(other) && !directory.equals(other)
						&& !this.apart.test(this.realPaths.apply(other), real))
				.min(Comparator.comparingInt(Path::getNameCount))
				.orElse(null);
			Route route = (outer != null)
					? new Route(this.realPaths.apply(outer), Route.names(directory, outer.getNameCount()))
					: new Route(real, List.of());
			Path reached = route.toPath();
			return new Root(directory, directory.equals(reached) ? List.of(directory) : List.of(directory, reached),
					route);
		}

	}

}
