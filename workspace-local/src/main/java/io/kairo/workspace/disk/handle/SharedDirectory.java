package io.kairo.workspace.disk.handle;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open directory that several threads open directories in. Closed by the last one.
 */
public final class SharedDirectory {

	private final OpenDirectory directory;

	private final AtomicInteger users = new AtomicInteger(1);

	public SharedDirectory(OpenDirectory directory) {
		this.directory = directory;
	}

	public OpenDirectory directory() {
		return this.directory;
	}

	public void retain(int more) {
		this.users.addAndGet(more);
	}

	public void release() {
		if (this.users.decrementAndGet() == 0) {
			try {
				this.directory.close();
			}
			catch (IOException ex) {
				// It was read, and closing it has nothing to lose.
			}
		}
	}

}
