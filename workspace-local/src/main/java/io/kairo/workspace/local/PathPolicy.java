package io.kairo.workspace.local;

/**
 * Says which spellings of a path a workspace accepts. Under each of them {@code ..} is
 * resolved by the text before anything is opened, names that merely contain {@code ..}
 * are ordinary, and blank paths and control characters are refused.
 *
 * @since 0.1.0
 */
public enum PathPolicy {

	/**
	 * Absolute paths are used verbatim, anywhere on the file system; relative ones must
	 * stay inside the roots. This confines nothing.
	 */
	HOST,

	/**
	 * Absolute paths and {@code ..} are allowed inside any root of the workspace. The
	 * default.
	 */
	ROOTS,

	/**
	 * Absolute paths and any {@code ..} segment are refused, except that the root may be
	 * spelled {@code /workspace}. A backslash separates. Only the primary root has a
	 * name.
	 */
	RELATIVE_ONLY,

	/**
	 * A leading slash, or {@code /workspace}, is the root of the workspace. Any
	 * {@code ..} segment is refused, a backslash separates and outer white space is
	 * trimmed. Only the primary root has a name.
	 */
	LOGICAL;

	/**
	 * Returns whether only the primary root has a name, and no path of the host is shown.
	 * @return true for {@link #RELATIVE_ONLY} and {@link #LOGICAL}
	 */
	public boolean hidesHost() {
		return this == RELATIVE_ONLY || this == LOGICAL;
	}

}
