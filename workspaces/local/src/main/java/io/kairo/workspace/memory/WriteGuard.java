package io.kairo.workspace.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.AnyDepthPaths;
import io.kairo.workspace.local.AnyDepthPaths.Relation;
import io.kairo.workspace.local.PortableName;
import io.kairo.workspace.local.RepositoryLayout;

/**
 * Checks every entry of a change against the write policy, ignoring case.
 *
 * @param policy the write policy
 * @param roots the paths that are protected below the root
 * @param anyDepth the paths that are protected at any depth
 */
record WriteGuard(WritePolicy policy, List<String> roots, AnyDepthPaths anyDepth) {

	WriteGuard(WritePolicy policy) {
		this(policy, policy.protectedAtRoots(), new AnyDepthPaths(policy.protectedAtAnyDepth()));
	}

	/**
	 * Checks an entry to be written, created or removed.
	 * @param path a canonical path
	 * @param tree the tree before the change
	 * @param isDirectory whether it is a directory, whose entries are checked by
	 * themselves
	 * @throws RefusedException if the policy forbids it
	 */
	void check(String path, MemoryTree tree, boolean isDirectory) throws RefusedException {
		requireWritable(path);
		Relation relation = this.anyDepth.isEmpty() ? Relation.NONE
				: this.anyDepth.relation(names(path), (depth) -> isRepository(first(path, depth), tree));
		if (isWithinOne(path, this.roots) || relation == Relation.WITHIN) {
			throw new RefusedException(WorkspaceErrorCode.PROTECTED_PATH, path,
					"is protected: leave it as it is and change something else");
		}
		if (relation == Relation.ABOVE && !isDirectory) {
			throw new RefusedException(WorkspaceErrorCode.PROTECTED_PATH, path,
					"holds a path that is protected: change what is beside that path");
		}
		if (!this.policy.allowedPrefixes().isEmpty() && !isWithinOne(path, this.policy.allowedPrefixes())) {
			throw new RefusedException(WorkspaceErrorCode.PROTECTED_PATH, path,
					"is outside of what may be written: write below "
							+ String.join(", ", this.policy.allowedPrefixes()));
		}
	}

	/**
	 * Checks that the creation of an entry makes no directory a Git repository.
	 */
	void requireNoRepository(String path, MemoryTree tree) throws RefusedException {
		if (!this.anyDepth.coverRepositories()) {
			return;
		}
		List<String> names = names(path);
		for (int i = 0; i < names.size(); i++) {
			String directory = first(path, i);
			if (RepositoryLayout.isPart(names.get(i)) && tree.get(first(path, i + 1)) == null
					&& RepositoryLayout.isPresentWith(names.get(i), entries(directory, tree))) {
				throw new RefusedException(WorkspaceErrorCode.PROTECTED_PATH, path,
						"would make a directory a Git repository, in which Git runs commands: use another name");
			}
		}
	}

	/**
	 * Checks that a directory to be moved, copied or removed contains no Git repository.
	 * @param nodes the directory and everything below it
	 */
	void requireNoRepository(List<MemoryNode> nodes, MemoryTree tree) throws RefusedException {
		for (MemoryNode node : this.anyDepth.coverRepositories() ? nodes : List.<MemoryNode>of()) {
			if (!node.isFile() && isRepository(node.path(), tree)) {
				throw new RefusedException(WorkspaceErrorCode.PROTECTED_PATH, node.path(),
						"is a Git repository, which is protected: leave it where it is");
			}
		}
	}

	private static boolean isRepository(String directory, MemoryTree tree) {
		return RepositoryLayout.isPresent(entries(directory, tree));
	}

	private static RepositoryLayout.Entries<RuntimeException> entries(String directory, MemoryTree tree) {
		return (name) -> tree.get(directory.isEmpty() ? name : directory + "/" + name) != null;
	}

	private static List<String> names(String path) {
		List<String> names = new ArrayList<>();
		Stream.of(path.split("/", -1)).map(PortableName::foldFully).forEach(names::add);
		return names;
	}

	private static String first(String path, int names) {
		int end = 0;
		for (int i = 0; i < names; i++) {
			int slash = path.indexOf('/', end + 1);
			end = (slash < 0) ? path.length() : slash;
		}
		return path.substring(0, end);
	}

	/**
	 * Checks that the workspace is writable.
	 * @param path a canonical path, for the message
	 * @throws RefusedException if the policy forbids it
	 */
	void requireWritable(String path) throws RefusedException {
		if (this.policy.readOnly()) {
			throw new RefusedException(WorkspaceErrorCode.READ_ONLY, path,
					"cannot be changed, as the workspace may only be read");
		}
	}

	private static boolean isWithinOne(String path, List<String> directories) {
		return directories.stream().anyMatch((directory) -> isWithin(path, directory));
	}

	/**
	 * Returns whether a path is a directory or below it, ignoring case.
	 */
	static boolean isWithin(String path, String directory) {
		return directory.isEmpty() || (path + "/").regionMatches(true, 0, directory + "/", 0, directory.length() + 1);
	}

}
