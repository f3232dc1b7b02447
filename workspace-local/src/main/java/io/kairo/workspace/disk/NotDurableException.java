package io.kairo.workspace.disk;

import java.io.IOException;

/**
 * A change happened, and it is not known whether it outlasts a failure of the machine. It
 * must not be tried again.
 */
final class NotDurableException extends IOException {

	private static final long serialVersionUID = 1L;

	NotDurableException(IOException cause) {
		super("could not be made durable", cause);
	}

}
