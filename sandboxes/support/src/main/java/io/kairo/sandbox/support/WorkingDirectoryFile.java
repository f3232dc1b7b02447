package io.kairo.sandbox.support;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * The file for the last working directory of a shell. Its content is not trusted, since
 * the command may have written it.
 *
 * @param file the path on the host
 */
public record WorkingDirectoryFile(Path file) {

	private static final Logger logger = System.getLogger(WorkingDirectoryFile.class.getName());

	/** Four times PATH_MAX of Linux. */
	private static final int MOST_BYTES = 16 * 1024;

	/**
	 * Reads the directory if it exists on the host.
	 * @return an existing directory, or null if it is not known
	 */
	public @Nullable Path existingDirectory() {
		Path directory = reportedPath();
		return (directory != null && Files.isDirectory(directory)) ? directory : null;
	}

	/**
	 * Reads the directory as a path in the environment of the command. It need not exist
	 * on the host.
	 * @return an absolute path, or null if it is not known
	 */
	public @Nullable Path reportedPath() {
		try {
			if (!Files.isRegularFile(this.file, LinkOption.NOFOLLOW_LINKS)) {
				return null;
			}
			byte[] content;
			try (InputStream input = Files.newInputStream(this.file, LinkOption.NOFOLLOW_LINKS)) {
				content = input.readNBytes(MOST_BYTES);
			}
			if (content.length < 2 || content[content.length - 1] != '\n') {
				return null;
			}
			ByteBuffer path = ByteBuffer.wrap(content, 0, content.length - 1);
			Path directory = Path.of(StandardCharsets.UTF_8.newDecoder().decode(path).toString());
			return directory.isAbsolute() ? directory : null;
		}
		catch (IOException | IllegalArgumentException ex) {
			return null;
		}
	}

	/**
	 * Removes the file if it exists.
	 */
	public void delete() {
		try {
			Files.deleteIfExists(this.file);
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "A private file could not be removed", ex);
		}
	}

}
