package io.kairo.workspace.local.disk.handle;

import java.io.IOException;

/**
 * Thrown if a root was replaced by a symbolic link. The link is not followed, regardless
 * of its target.
 */
public final class LinkedRootException extends IOException {

	private static final long serialVersionUID = 1L;

	LinkedRootException() {
		super("a root was replaced by a symbolic link");
	}

}
