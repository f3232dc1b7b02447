package io.kairo.workspace.s3;

import java.util.Objects;

/**
 * A key of an object that cannot be the path of a file, so that the object is not part of
 * a workspace. Immutable.
 *
 * @param key the key without the prefix of the workspace, possibly only its beginning, up
 * to and including a slash, if all keys with this beginning are concerned
 * @param reason the reason, such as "ends with a slash"
 */
public record UnusableKey(String key, String reason) {

	/**
	 * Creates the value.
	 */
	public UnusableKey {
		Objects.requireNonNull(key, "key");
		Objects.requireNonNull(reason, "reason");
	}

}
