package io.kairo.workspace.disk.handle;

import java.io.IOException;

/**
 * An entry was replaced between being looked at and being opened. Trying again may help.
 */
public final class RacedException extends IOException {

	private static final long serialVersionUID = 1L;

	public RacedException() {
		super("replaced while it was opened");
	}

}
