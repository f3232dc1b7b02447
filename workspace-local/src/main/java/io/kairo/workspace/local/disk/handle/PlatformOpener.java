package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Opens directories by handle where the platform has handles for directories.
 *
 * @param fifoGuard performs the opens
 */
record PlatformOpener(FifoGuard fifoGuard) implements DirectoryOpener {

	@Override
	@SuppressWarnings("StreamResourceLeak") // closed with what is returned
	public OpenDirectory open(Path directory) throws IOException {
		BasicFileAttributes expected = DirectoryOpener.requireDirectory(directory);
		DirectoryStream<Path> stream = this.fifoGuard.open(new FifoGuard.ByPath(directory),
				() -> Files.newDirectoryStream(directory));
		return DirectoryOpener.verified((stream instanceof SecureDirectoryStream<Path> secure)
				? new SecureDirectory(directory, directory, secure, this.fifoGuard)
				: new CheckedDirectory(directory, directory, stream, this.fifoGuard), expected);
	}

	@Override
	public DirectoryOpener of(Path workspace) {
		return new PlatformOpener(this.fifoGuard.of(workspace));
	}

	@Override
	public <T> T call(Operation<T> operation) throws IOException {
		return this.fifoGuard.call(operation);
	}

	@Override
	public void start(ExpendableWork work) {
		this.fifoGuard.threads().start(work);
	}

}
