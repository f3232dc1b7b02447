package io.kairo.workspace.local.disk;

import io.kairo.workspace.local.disk.handle.DirectoryOpener;

/**
 * The means by which directories are kept open.
 */
enum OpenedBy {

	/** By handles of the operating system, if available. */
	HANDLES(DirectoryOpener.platform()),

	/** Not at all where a file can be opened directly, else by handles. */
	DIRECT(DirectoryOpener.platform(null, true)),

	/** By their paths, as on platforms without handles. */
	PATHS(DirectoryOpener.checked());

	private final DirectoryOpener opener;

	OpenedBy(DirectoryOpener opener) {
		this.opener = opener;
	}

	DirectoryOpener opener() {
		return this.opener;
	}

}
