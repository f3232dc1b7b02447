package io.kairo.workspace.local.disk.handle;

import java.io.IOException;

/**
 * Thrown if an entry was replaced between reading its attributes and opening it. A retry
 * may succeed.
 */
public final class RacedException extends IOException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 */
	public RacedException() {
		super("replaced while it was opened");
	}

}
