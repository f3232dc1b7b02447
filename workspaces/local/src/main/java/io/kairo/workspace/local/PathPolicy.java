package io.kairo.workspace.local;

/**
 * The spellings of paths that a workspace accepts. {@link #HOST} and {@link #ROOTS}
 * resolve {@code ..} in the text, before any file is opened; {@link #RELATIVE_ONLY} and
 * {@link #LOGICAL} refuse it. A name such as {@code a..b} is ordinary. Blank paths and
 * control characters are refused.
 */
public enum PathPolicy {

	/**
	 * Absolute paths may be anywhere on the file system. Relative paths must stay inside
	 * the roots or, if the current directory is outside the roots, below that directory.
	 * This policy confines nothing.
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
