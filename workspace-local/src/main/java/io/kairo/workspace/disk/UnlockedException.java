package io.kairo.workspace.disk;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A path turned out to lead to where nothing was locked: with that locked, it is to be
 * tried again.
 */
final class UnlockedException extends IOException {

	private static final long serialVersionUID = 1L;

	private final transient Path path;

	UnlockedException(Path path) {
		super("leads to where nothing was locked");
		this.path = path;
	}

	Path path() {
		return this.path;
	}

}
