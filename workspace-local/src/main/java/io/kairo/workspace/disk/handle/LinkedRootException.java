package io.kairo.workspace.disk.handle;

import java.io.IOException;

/**
 * A symbolic link is where a root was. It is not followed, wherever it leads.
 */
public final class LinkedRootException extends IOException {

	private static final long serialVersionUID = 1L;

	LinkedRootException() {
		super("a root was replaced by a symbolic link");
	}

}
