package io.kairo.workspace.local;

/**
 * Says which entry of a directory a name means. An entry with exactly the name is always
 * meant first.
 *
 * @since 0.1.0
 */
public enum NameMatching {

	/**
	 * The one that the file system takes for it. The default.
	 */
	FILE_SYSTEM,

	/**
	 * The only one whose name differs in nothing but the case of its letters, or in how
	 * they are encoded (composed or decomposed). If there are several, the path is
	 * refused as {@code ambiguous_path}. This holds for every name on the way, for those
	 * in the text of a link, and for what is written: {@code README.md} is written to
	 * {@code readme.md} where only that exists.
	 */
	CASE_INSENSITIVE

}
