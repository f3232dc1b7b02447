package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.AnyDepthPaths;
import io.kairo.workspace.local.AnyDepthPaths.Relation;
import io.kairo.workspace.local.PortableName;
import io.kairo.workspace.local.RepositoryLayout;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.path.PathSyntax;
import io.kairo.workspace.local.path.Root;
import io.kairo.workspace.local.path.RootSet;
import org.jspecify.annotations.Nullable;

/**
 * The part of a write policy that applies at any depth, for paths without links.
 * Immutable.
 */
final class AnyDepthPolicy {

	private final AnyDepthPaths paths;

	private final List<Path> roots;

	AnyDepthPolicy(WritePolicy policy, RootSet roots) {
		this.paths = new AnyDepthPaths(policy.protectedAtAnyDepth());
		this.roots = roots.all().stream().map(Root::real).toList();
	}

	/**
	 * Returns the relation of a path to the protected ones. Looks for a repository where
	 * a name could be of one.
	 */
	Relation relation(Path physical) {
		if (this.paths.isEmpty()) {
			return Relation.NONE;
		}
		int above = namesAbove(physical);
		return this.paths.relation(names(physical, above), (depth) -> isRepository(first(physical, above + depth)));
	}

	/**
	 * Returns the number of names of the outermost root with a path, 0 outside of all
	 * roots.
	 */
	private int namesAbove(Path physical) {
		return this.roots.stream().filter(physical::startsWith).mapToInt(Path::getNameCount).min().orElse(0);
	}

	private static List<String> names(Path physical, int above) {
		List<String> names = new ArrayList<>();
		for (int i = above; i < physical.getNameCount(); i++) {
			names.add(PortableName.foldFully(physical.getName(i).toString()));
		}
		return names;
	}

	private static Path first(Path physical, int names) {
		Path root = physical.getRoot();
		return (names == 0) ? root : root.resolve(physical.subpath(0, names));
	}

	private static boolean isRepository(Path directory) {
		return RepositoryLayout.isPresent((name) -> Files.exists(directory.resolve(name), LinkOption.NOFOLLOW_LINKS));
	}

	/**
	 * Checks that a directory contains neither a protected path nor a repository. Looks
	 * as deep as a workspace can be.
	 * @param tree the directory
	 * @param places its present and future paths
	 */
	void requireUnprotected(EntryRef tree, Path... places) throws IOException, RefusedException {
		if (!this.paths.isEmpty()) {
			List<List<String>> names = Stream.of(places).map((place) -> names(place, namesAbove(place))).toList();
			requireUnprotected(tree, names, PathSyntax.MAX_NAMES);
		}
	}

	private void requireUnprotected(EntryRef tree, List<List<String>> places, int levels)
			throws IOException, RefusedException {
		try (OpenDirectory directory = tree.directory().directory(tree.name())) {
			Set<String> entries = new HashSet<>();
			for (Path name : directory.list()) {
				BasicFileAttributes attributes = directory.find(name);
				if (attributes != null) {
					String folded = PortableName.foldFully(name.toString());
					entries.add(folded);
					places.forEach((place) -> place.add(folded));
					requireUnprotected(new EntryRef(directory, name), attributes.isDirectory(), places, levels);
					places.forEach((place) -> place.remove(place.size() - 1));
				}
			}
			if (this.paths.coverRepositories()
					&& RepositoryLayout.isPresent((name) -> entries.contains(PortableName.foldFully(name)))) {
				throw holds();
			}
		}
	}

	private void requireUnprotected(EntryRef entry, boolean isDirectory, List<List<String>> places, int levels)
			throws IOException, RefusedException {
		for (List<String> place : places) {
			Relation relation = this.paths.relation(place);
			if (relation == Relation.WITHIN || (relation == Relation.ABOVE && !isDirectory)) {
				throw holds();
			}
		}
		if (isDirectory && levels > 1) {
			requireUnprotected(entry, places, levels - 1);
		}
	}

	/**
	 * Checks that a new entry does not make its directory a repository.
	 */
	void requireNoRepository(EntryRef entry) throws IOException, RefusedException {
		String name = PortableName.foldFully(entry.name().toString());
		if (this.paths.coverRepositories() && RepositoryLayout.isPart(name) && entry.find() == null
				&& RepositoryLayout.isPresentWith(name,
						(other) -> new EntryRef(entry.directory(), sibling(entry.name(), other)).find() != null)) {
			throw RefusedException.of(WorkspaceErrorCode.PROTECTED_PATH,
					"would make its directory a Git repository, in which Git runs commands: use another name");
		}
	}

	private static Path sibling(Path name, String other) {
		return name.getFileSystem().getPath(other);
	}

	/**
	 * Returns the path to lock for the creation and removal of an entry, so that several
	 * changes cannot make a directory a repository together.
	 * @return null if none has to be locked
	 */
	@Nullable Path repositoryLock(Path physical) {
		Path name = physical.getFileName();
		return (this.paths.coverRepositories() && name != null
				&& RepositoryLayout.isPart(PortableName.foldFully(name.toString())))
						? physical.resolveSibling(RepositoryLayout.HEAD) : null;
	}

	/**
	 * Returns the paths to lock for a change of an entry and the creation of the missing
	 * directories above it.
	 */
	List<Path> repositoryLocks(DescentResult target) {
		List<Path> locks = new ArrayList<>();
		Path path = target.directory().path();
		for (Path name : target.names()) {
			path = path.resolve(name);
			Path lock = repositoryLock(path);
			if (lock != null) {
				locks.add(lock);
			}
		}
		return locks;
	}

	private static RefusedException holds() {
		return RefusedException.of(WorkspaceErrorCode.PROTECTED_PATH,
				"holds a path that the write policy protects at any depth, or a Git repository: change what is beside "
						+ "it one by one");
	}

}
