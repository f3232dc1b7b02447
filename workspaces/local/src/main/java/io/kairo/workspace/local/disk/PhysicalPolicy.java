package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.AnyDepthPaths.Relation;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.PortableName;
import io.kairo.workspace.local.RealPaths;
import io.kairo.workspace.local.path.Root;
import io.kairo.workspace.local.path.Route;

/**
 * The write policy, applied to paths without links. For protected paths, names that
 * differ only in case, in the encoding of accents or in invisible characters are equal,
 * as some file systems treat them as equal. Immutable.
 */
final class PhysicalPolicy {

	private final List<List<String>> protectedPaths = new ArrayList<>();

	private final List<Path> allowed = new ArrayList<>();

	private final List<Path> roots = new ArrayList<>();

	private final HiddenDirectory hidden;

	private final AnyDepthPolicy anyDepth;

	/**
	 * Creates the policy, with the current targets of the protected paths.
	 * @param anyDepth the part of the policy that applies at any depth
	 */
	PhysicalPolicy(WritePolicy policy, AnyDepthPolicy anyDepth, Confinement confinement) throws IOException {
		this.hidden = confinement.hidden();
		this.anyDepth = anyDepth;
		for (Root root : confinement.roots().all()) {
			this.roots.add(root.real());
			for (String name : policy.protectedAtRoots()) {
				protect(root.real().resolve(name));
				protect(RealPaths.of(root.real().resolve(name)));
				protect(RealPaths.of(root.real()).resolve(name));
				protect(reached(confinement, root, name));
			}
			for (String prefix : policy.allowedPrefixes()) {
				this.allowed.add(root.real().resolve(prefix).normalize());
				this.allowed.add(RealPaths.of(root.real()).resolve(prefix).normalize());
				this.allowed.add(reached(confinement, root, prefix));
			}
		}
	}

	/**
	 * Finds the entry that a path denotes under another spelling.
	 */
	private static Path reached(Confinement confinement, Root root, String path) throws IOException {
		Path spelled = root.real().resolve(path).normalize();
		if (confinement.matching() == NameMatching.FILE_SYSTEM) {
			return spelled;
		}
		try (DescentResult target = Descent.to(confinement,
				root.route().then(Route.names(root.path().getFileSystem().getPath(path), 0)), Descent.Goal.TARGET)) {
			return target.physical();
		}
		catch (RefusedException ex) {
			return spelled; // no change can use this path either
		}
	}

	private void protect(Path path) {
		List<String> folded = fold(path);
		if (!this.protectedPaths.contains(folded)) {
			this.protectedPaths.add(folded);
		}
	}

	/**
	 * Checks that an entry with any content may be created at a path.
	 */
	void requireWritable(Path physical) throws RefusedException {
		requireUnprotected(physical, true);
		if (!this.allowed.isEmpty() && this.allowed.stream().noneMatch(physical::startsWith)) {
			throw outsideAllowed();
		}
	}

	/**
	 * Checks that an empty directory may be created at a path.
	 */
	void requireCreatable(Path physical) throws RefusedException {
		requireUnprotected(physical, false);
		if (!this.allowed.isEmpty() && this.allowed.stream()
			.noneMatch((prefix) -> physical.startsWith(prefix) || prefix.startsWith(physical))) {
			throw outsideAllowed();
		}
	}

	/**
	 * Checks that an entry may be removed or moved away.
	 */
	void requireRemovable(Path physical) throws RefusedException {
		requireWritable(physical);
		if (this.roots.stream().anyMatch((root) -> root.startsWith(physical))) {
			throw protectedPath("is a root of the workspace, or holds one: leave it where it is");
		}
	}

	/**
	 * Returns the part of the policy that applies at any depth.
	 */
	AnyDepthPolicy anyDepth() {
		return this.anyDepth;
	}

	private void requireUnprotected(Path physical, boolean withParents) throws RefusedException {
		if (isTemporary(physical) || isOfTheStore(physical, withParents)) {
			throw protectedPath("belongs to the store itself: use another path");
		}
		Relation relation = this.anyDepth.relation(physical);
		if (relation != Relation.NONE) {
			requireUnprotected(relation == Relation.WITHIN, withParents);
		}
		if (this.protectedPaths.isEmpty()) {
			return;
		}
		List<String> folded = fold(physical);
		for (List<String> path : this.protectedPaths) {
			boolean within = startsWith(folded, path);
			if (within || startsWith(path, folded)) {
				requireUnprotected(within, withParents);
			}
		}
	}

	private static void requireUnprotected(boolean within, boolean withParents) throws RefusedException {
		if (within) {
			throw protectedPath("is protected by the write policy: leave it as it is, or ask for the change");
		}
		if (withParents) {
			throw protectedPath(
					"holds a path that the write policy protects: change what is beside that path one by one");
		}
	}

	private static boolean isTemporary(Path physical) {
		for (Path name : physical) {
			if (TemporaryNames.is(name)) {
				return true;
			}
		}
		return false;
	}

	private boolean isOfTheStore(Path physical, boolean withParents) {
		Path state = this.hidden.path();
		if (state == null) {
			return false;
		}
		return (withParents && state.startsWith(physical)) || (physical.startsWith(state)
				&& this.roots.stream().noneMatch((root) -> root.startsWith(state) && physical.startsWith(root)));
	}

	private static RefusedException outsideAllowed() {
		return protectedPath("is outside of what the write policy allows to be written: write below an allowed path");
	}

	private static RefusedException protectedPath(String reason) {
		return RefusedException.of(WorkspaceErrorCode.PROTECTED_PATH, reason);
	}

	private static boolean startsWith(List<String> path, List<String> prefix) {
		return path.size() >= prefix.size() && path.subList(0, prefix.size()).equals(prefix);
	}

	private static List<String> fold(Path path) {
		List<String> names = new ArrayList<>(List.of(String.valueOf(path.getRoot())));
		path.forEach((name) -> names.add(PortableName.foldFully(name.toString())));
		return names;
	}

}
