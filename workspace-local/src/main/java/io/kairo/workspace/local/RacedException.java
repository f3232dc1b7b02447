package io.kairo.workspace.local;

import java.io.IOException;

/**
 * An entry was replaced between being looked at and being opened. Trying again may help.
 */
final class RacedException extends IOException {

	private static final long serialVersionUID = 1L;

	RacedException() {
		super("replaced while it was opened");
	}

}
