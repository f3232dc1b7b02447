package io.kairo.sandbox.remote.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import io.kairo.host.PrivateDirectory;
import io.kairo.host.Sha256;
import io.kairo.sandbox.remote.protocol.CopyMessage;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import org.jspecify.annotations.Nullable;

/**
 * The copies of directories on a worker. They are in a private directory, so that the
 * next server removes the copies of a killed one. Safe for use by several threads.
 */
final class ServedCopies implements AutoCloseable {

	private static final int OWNER_BYTES = 16;

	private final CopyOptions options;

	private final PrivateDirectory directory;

	private final ContentStore store;

	private final Executor executor;

	private final int most;

	private final Semaphore free;

	/**
	 * Creates the copies, none to begin with.
	 * @param most the most copies at a time
	 * @param executor runs long operations
	 * @throws UncheckedIOException if the directory cannot be created
	 */
	ServedCopies(CopyOptions options, int most, Executor executor) {
		this.options = options;
		this.directory = new PrivateDirectory(options.directory(), "kairo-copies-");
		this.executor = executor;
		this.most = most;
		this.free = new Semaphore(most);
		try {
			Path path = this.directory.path();
			if (options.owner() != null) {
				HostUser.letPass(path);
			}
			this.store = new ContentStore(OwnerOnly.createDirectory(path.resolve("contents")), options.maxBytes());
		}
		catch (IOException ex) {
			this.directory.close();
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Creates an empty copy.
	 * @throws RefusedRequestException if there are too many
	 */
	ServedCopy create(RemoteClient client, CopyMessage message) {
		if (!this.free.tryAcquire()) {
			throw new RefusedRequestException(ErrorMessage.BUSY,
					"This worker has copies for " + this.most + " commands, its maximum",
					"wait until one is closed, or use another worker");
		}
		String owner = Sha256.hex(client.name() + "\0" + message.tenant(), OWNER_BYTES);
		return new ServedCopy(this, owner, message, this.free::release);
	}

	ContentStore store() {
		return this.store;
	}

	long maxBytes() {
		return this.options.maxBytes();
	}

	@Nullable HostUser owner() {
		return this.options.owner();
	}

	Executor executor() {
		return this.executor;
	}

	/**
	 * Returns the path of a new directory.
	 */
	Path newPath() throws IOException {
		return this.directory.newPath("copy").toAbsolutePath();
	}

	/**
	 * Removes everything.
	 */
	@Override
	public void close() {
		this.directory.close();
	}

}
