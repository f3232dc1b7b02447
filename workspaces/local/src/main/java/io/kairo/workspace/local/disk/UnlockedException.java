package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Thrown if a path denotes an entry that is not locked. The change is to be retried with
 * that lock.
 */
final class UnlockedException extends IOException {

	private static final long serialVersionUID = 1L;

	private final transient Path path;

	UnlockedException(Path path) {
		super("the entry is not locked");
		this.path = path;
	}

	Path path() {
		return this.path;
	}

}
