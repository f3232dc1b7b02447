package io.kairo.workspace.s3;

/**
 * An entry of the tree on this machine. Immutable.
 *
 * @param path its path
 * @param type its type
 * @param size its size in bytes
 * @param executable whether its owner may execute it
 * @param fingerprint its attributes; as long as they are equal, the content is
 */
record LocalFile(String path, Type type, long size, boolean executable, String fingerprint) {

	/**
	 * The type of an entry.
	 */
	enum Type {

		FILE, DIRECTORY, LINK, OTHER

	}

}
