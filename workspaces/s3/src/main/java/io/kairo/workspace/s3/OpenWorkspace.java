package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.workspace.local.disk.tree.OwnedTree;

/**
 * The parts of an open workspace.
 *
 * @param directory its directory, with everything else
 * @param overlay its files
 * @param sync the connection to its objects
 */
record OpenWorkspace(Path directory, Overlay overlay, S3Sync sync) {

	/**
	 * Ends its use and keeps its directory.
	 */
	void close() throws IOException {
		this.sync.close();
		this.overlay.state().close();
	}

	/**
	 * Removes it with everything on this machine.
	 */
	void remove() throws IOException {
		close();
		new OwnedTree(this.directory).remove();
	}

}
