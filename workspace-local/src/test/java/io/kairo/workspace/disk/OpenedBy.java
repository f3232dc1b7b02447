package io.kairo.workspace.disk;

import io.kairo.workspace.disk.handle.DirectoryOpener;

/**
 * How directories are kept open.
 */
enum OpenedBy {

	/** By handles of the operating system, where it has them. */
	HANDLES(DirectoryOpener.platform()),

	/** By their paths, as where there are no handles. */
	PATHS(DirectoryOpener.checked());

	private final DirectoryOpener opener;

	OpenedBy(DirectoryOpener opener) {
		this.opener = opener;
	}

	DirectoryOpener opener() {
		return this.opener;
	}

}
