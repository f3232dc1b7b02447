package io.kairo.workspace.local.disk.handle;

import java.io.IOException;

/**
 * Thrown if an entry cannot be opened, because an open does not return. A retry would
 * lose another thread.
 */
public final class StuckOpenException extends IOException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param reason problem and remedy, to follow the path in a sentence, without a path
	 * of the host
	 */
	StuckOpenException(String reason) {
		super(reason);
	}

}
