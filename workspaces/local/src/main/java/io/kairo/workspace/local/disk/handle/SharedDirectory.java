package io.kairo.workspace.local.disk.handle;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open directory that several threads open directories in. The last user closes it.
 * Safe for use by several threads.
 *
 * @param <D> the type of the directory
 */
public final class SharedDirectory<D extends Closeable> {

	private final D directory;

	private final AtomicInteger users = new AtomicInteger(1);

	/**
	 * Creates a shared directory with one user.
	 * @param directory the open directory
	 */
	public SharedDirectory(D directory) {
		this.directory = directory;
	}

	/**
	 * Returns the directory.
	 * @return the directory, not to be closed by the caller
	 */
	public D directory() {
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
