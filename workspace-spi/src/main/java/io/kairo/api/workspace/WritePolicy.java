package io.kairo.api.workspace;

import java.util.List;

/**
 * The paths that may be written. Every store evaluates the policy on the physical path,
 * after links are resolved, during the descent that performs the change. Immutable.
 *
 * @param readOnly whether every write is refused
 * @param protectedPaths canonical paths below a root that may not be written, created,
 * moved or deleted, with everything below them, even while they do not exist
 * @param allowedPrefixes canonical paths below a root to which writes are restricted;
 * empty for no restriction
 * @since 0.1.0
 */
public record WritePolicy(boolean readOnly, List<String> protectedPaths, List<String> allowedPrefixes) {

	/**
	 * The policy that allows all writes.
	 */
	public static final WritePolicy ALLOW_ALL = new WritePolicy(false, List.of(), List.of());

	/**
	 * The policy that refuses all writes.
	 */
	public static final WritePolicy READ_ONLY = new WritePolicy(true, List.of(), List.of());

	/**
	 * Creates the value.
	 * @param readOnly whether every write is refused
	 * @param protectedPaths canonical paths below a root that may not be written
	 * @param allowedPrefixes canonical paths below a root to which writes are restricted
	 * @throws WorkspacePathException if a path cannot be made canonical
	 */
	public WritePolicy {
		protectedPaths = protectedPaths.stream().map(WorkspacePath::canonicalize).toList();
		allowedPrefixes = allowedPrefixes.stream().map(WorkspacePath::canonicalizeDirectory).toList();
	}

}
