package io.kairo.workspace.local;

/**
 * The spellings of paths that a workspace accepts. Under every policy, {@code ..} is
 * resolved in the text before any file is opened, names that merely contain {@code ..}
 * are ordinary, and blank paths and control characters are refused.
 *
 * @since 0.1.0
 */
public enum PathPolicy {

	/**
	 * Absolute paths are used verbatim, anywhere on the file system; relative paths must
	 * stay inside the roots. This policy confines nothing.
	 */
	HOST,

	/**
	 * Absolute paths and {@code ..} are allowed inside any root of the workspace. The
	 * default.
	 */
	ROOTS,

	/**
	 * Absolute paths and {@code ..} segments are refused, except that the root may be
	 * spelled {@code /workspace}. A backslash is a separator. Only the primary root has a
	 * name.
	 */
	RELATIVE_ONLY,

	/**
	 * A leading slash, or {@code /workspace}, denotes the root of the workspace.
	 * {@code ..} segments are refused, a backslash is a separator, and outer white space
	 * is trimmed. Only the primary root has a name.
	 */
	LOGICAL;

	/**
	 * Returns whether only the primary root has a name, so that no path of the host is
	 * shown.
	 * @return true for {@link #RELATIVE_ONLY} and {@link #LOGICAL}
	 */
	public boolean hidesHost() {
		return this == RELATIVE_ONLY || this == LOGICAL;
	}

}
