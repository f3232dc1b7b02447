package io.kairo.workspace.local;

/**
 * The rule for matching a name to an entry of a directory. An entry with exactly the name
 * always takes precedence.
 */
public enum NameMatching {

	/**
	 * The entry that the file system finds.
	 */
	FILE_SYSTEM,

	/**
	 * The only entry whose name differs at most in the case of its letters, or in their
	 * encoding (composed or decomposed). If there are several, the path is refused as
	 * {@code ambiguous_path}. This applies to every name of a path, to the names in the
	 * text of a link, and to writes: {@code README.md} is written to {@code readme.md} if
	 * only that exists.
	 */
	CASE_INSENSITIVE,

	/**
	 * {@link #CASE_INSENSITIVE} under {@link PathPolicy#LOGICAL}, whose paths are the
	 * same in any case; otherwise {@link #FILE_SYSTEM}. The default.
	 */
	BY_PATH_POLICY;

	NameMatching under(PathPolicy policy) {
		return (this != BY_PATH_POLICY) ? this : (policy == PathPolicy.LOGICAL) ? CASE_INSENSITIVE : FILE_SYSTEM;
	}

}
