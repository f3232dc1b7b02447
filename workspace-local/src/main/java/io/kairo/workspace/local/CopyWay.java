package io.kairo.workspace.local;

import java.util.Locale;

/**
 * How the bytes of a large file come into another one.
 *
 * @since 0.1.0
 */
public enum CopyWay {

	/** Both share the blocks of the disk until one of them is changed. */
	CLONE,

	/** Each has its own. */
	COPY;

	/**
	 * Returns the way as it is written in metadata.
	 * @return the name in lower case
	 */
	public String code() {
		return name().toLowerCase(Locale.ROOT);
	}

}
