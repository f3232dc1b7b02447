package io.kairo.workspace.local.disk;

import java.io.IOException;

/**
 * Thrown if a change was made but may not survive a failure of the machine. It must not
 * be retried.
 */
final class NotDurableException extends IOException {

	private static final long serialVersionUID = 1L;

	NotDurableException(IOException cause) {
		super("could not be made durable", cause);
	}

}
