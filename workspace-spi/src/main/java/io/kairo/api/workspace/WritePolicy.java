package io.kairo.api.workspace;

import java.util.List;

/**
 * The paths that may be written. Every store evaluates the policy on the physical path,
 * after links are resolved, during the descent that performs the change. Immutable.
 * <p>
 * A protected path that starts with <code>**&#47;</code> applies at any depth below a
 * root, including the root itself: <code>**&#47;.git/hooks</code> protects the hooks of
 * all repositories. The part behind <code>**&#47;.git/</code> also applies to directories
 * of another name that Git takes for a repository. Such a directory contains {@code HEAD}
 * and either {@code commondir} or both {@code objects} and {@code refs}. No change may
 * make a directory such a repository. Commands in a sandbox are bound by the other
 * protected paths only.
 *
 * @param readOnly whether every write is refused
 * @param protectedPaths canonical paths below a root that may not be written, created,
 * moved or deleted, with everything below them, even while they do not exist; at any
 * depth if they start with <code>**&#47;</code>
 * @param allowedPrefixes canonical paths below a root that writes are restricted to;
 * empty for no restriction
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

	private static final String ANY_DEPTH = "**/";

	/**
	 * Creates the value.
	 * @throws WorkspacePathException if a path cannot be made canonical, or a protected
	 * path has an asterisk anywhere else than in a leading <code>**&#47;</code>
	 */
	public WritePolicy {
		protectedPaths = protectedPaths.stream().map(WritePolicy::protectable).toList();
		allowedPrefixes = allowedPrefixes.stream().map(WorkspacePath::canonicalizeDirectory).toList();
	}

	private static String protectable(String path) {
		String canonical = WorkspacePath.canonicalize(path);
		if (withoutPrefix(canonical).indexOf('*') >= 0) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The protected path " + WorkspacePath.quote(path) + " has a wildcard: write out the names, "
							+ "after a leading " + ANY_DEPTH + " if it is to be protected at any depth");
		}
		return canonical;
	}

	private static String withoutPrefix(String path) {
		return path.startsWith(ANY_DEPTH) ? path.substring(ANY_DEPTH.length()) : path;
	}

	/**
	 * Returns the protected paths that apply below each root only.
	 * @return an unmodifiable list of canonical paths
	 */
	public List<String> protectedAtRoots() {
		return this.protectedPaths.stream().filter((path) -> !path.startsWith(ANY_DEPTH)).toList();
	}

	/**
	 * Returns the protected paths that apply at any depth.
	 * @return an unmodifiable list of canonical paths, without the leading
	 * <code>**&#47;</code>
	 */
	public List<String> protectedAtAnyDepth() {
		return this.protectedPaths.stream()
			.filter((path) -> path.startsWith(ANY_DEPTH))
			.map(WritePolicy::withoutPrefix)
			.toList();
	}

}
