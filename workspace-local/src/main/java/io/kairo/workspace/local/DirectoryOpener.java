package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;

/**
 * Opens the directories that a descent starts from.
 */
@FunctionalInterface
interface DirectoryOpener {

	/**
	 * Opens a directory.
	 * @param directory its real path, which is trusted
	 */
	OpenDirectory open(Path directory) throws IOException;

	/**
	 * Opens directories so that nothing below them can be swapped under the reader, where
	 * the platform can do it.
	 */
	@SuppressWarnings("StreamResourceLeak") // closed with what is returned
	static DirectoryOpener platform() {
		BlockedOpens blockedOpens = new BlockedOpens();
		return (directory) -> {
			DirectoryStream<Path> stream = Files.newDirectoryStream(directory);
			if (stream instanceof SecureDirectoryStream<Path> secure) {
				return new SecureDirectory(directory, directory, secure, blockedOpens);
			}
			return new CheckedDirectory(directory, directory, stream);
		};
	}

}
