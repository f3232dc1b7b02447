package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open directory in which several threads open directories. The last user closes it.
 * Safe for use by several threads.
 */
public final class SharedDirectory {

	private final OpenDirectory directory;

	private final AtomicInteger users = new AtomicInteger(1);

	/**
	 * Creates a shared directory with one user.
	 * @param directory the open directory
	 */
	public SharedDirectory(OpenDirectory directory) {
		this.directory = directory;
	}

	/**
	 * Returns the directory.
	 * @return the directory, not to be closed by the caller
	 */
	public OpenDirectory directory() {
		return this.directory;
	}

	/**
	 * Adds users.
	 * @param more number of additional users
	 */
	public void retain(int more) {
		this.users.addAndGet(more);
	}

	/**
	 * Removes a user. The last one closes the directory.
	 */
	public void release() {
		if (this.users.decrementAndGet() == 0) {
			try {
				this.directory.close();
			}
			catch (IOException ex) {
				// Closing a directory that was only read loses nothing.
			}
		}
	}

}
