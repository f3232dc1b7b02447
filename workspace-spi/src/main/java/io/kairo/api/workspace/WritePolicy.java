package io.kairo.api.workspace;

import java.util.List;

/**
 * Says what may be written. Every store evaluates it on the physical path, after links,
 * during the descent that performs the change. Immutable.
 *
 * @param readOnly whether every write is refused
 * @param protectedPaths canonical paths below a root that may not be written, created,
 * moved or deleted, with all that is below them; also while they do not exist
 * @param allowedPrefixes canonical paths below a root outside of which nothing is
 * written; empty means everywhere
 * @since 0.1.0
 */
public record WritePolicy(boolean readOnly, List<String> protectedPaths, List<String> allowedPrefixes) {

	/**
	 * Everything may be written.
	 */
	public static final WritePolicy ALLOW_ALL = new WritePolicy(false, List.of(), List.of());

	/**
	 * Nothing may be written.
	 */
	public static final WritePolicy READ_ONLY = new WritePolicy(true, List.of(), List.of());

	/**
	 * Creates the value.
	 * @param readOnly whether every write is refused
	 * @param protectedPaths canonical paths below a root that may not be written
	 * @param allowedPrefixes canonical paths below a root outside of which nothing is
	 * written
	 * @throws WorkspacePathException if a path cannot be made canonical
	 */
	public WritePolicy {
		protectedPaths = protectedPaths.stream().map(WorkspacePath::canonicalize).toList();
		allowedPrefixes = allowedPrefixes.stream().map(WorkspacePath::canonicalizeDirectory).toList();
	}

}
