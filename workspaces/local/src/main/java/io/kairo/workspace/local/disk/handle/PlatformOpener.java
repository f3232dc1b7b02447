package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;

import io.kairo.host.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * Opens directories by handle where the platform has handles for directories.
 *
 * @param fifoGuard performs the opens
 * @param owner the user that directories are created for, or null for the user of the
 * application
 * @param nativeCalls whether to open files and list directories by direct system calls
 * where the JVM can
 */
record PlatformOpener(FifoGuard fifoGuard, @Nullable HostUser owner, boolean nativeCalls) implements DirectoryOpener {

	@Override
	@SuppressWarnings("StreamResourceLeak") // closed with the returned object
	public OpenDirectory open(Path directory) throws IOException {
		BasicFileAttributes expected = DirectoryOpener.requireDirectory(directory);
		DirectoryStream<Path> stream = this.fifoGuard.open(new FifoGuard.ByPath(directory),
				() -> Files.newDirectoryStream(directory));
		return DirectoryOpener.verified((stream instanceof SecureDirectoryStream<Path> secure)
				? new SecureDirectory(directory, directory, secure, this.fifoGuard)
				: new CheckedDirectory(directory, directory, stream, this.fifoGuard), expected);
	}

	@Override
	public void create(Path directory) throws IOException {
		DirectoryOpener.super.create(directory);
		if (this.owner != null) {
			this.owner.own(directory);
		}
	}

	@Override
	public DirectoryOpener of(Path workspace) {
		return new PlatformOpener(this.fifoGuard.of(workspace), this.owner, this.nativeCalls);
	}

	@Override
	public @Nullable DirectFiles direct() {
		return this.nativeCalls ? DirectFiles.find() : null;
	}

	@Override
	public ListedDirectory listed(OpenDirectory directory) {
		DirectFiles direct = direct();
		if (direct != null) {
			try {
				return direct.listed(directory, this.fifoGuard);
			}
			catch (IOException ex) {
				// The directory itself finds out why.
			}
		}
		return new StreamedListing(directory, direct);
	}

	@Override
	public <T> T call(Operation<T> operation) throws IOException {
		return this.fifoGuard.call(operation);
	}

	@Override
	public void start(AbandonableTask work) {
		this.fifoGuard.threads().start(work);
	}

}
