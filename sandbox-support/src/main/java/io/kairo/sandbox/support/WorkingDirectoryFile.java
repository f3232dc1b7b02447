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
 * The file in which a shell leaves the directory that it was in when it exited. What is
 * in it is not trusted: the command may have written it.
 *
 * @param file where it is on the host
 * @since 0.1.0
 */
public record WorkingDirectoryFile(Path file) {

	private static final Logger logger = System.getLogger(WorkingDirectoryFile.class.getName());

	/** Four times PATH_MAX of Linux. */
	private static final int MOST_BYTES = 16 * 1024;

	/**
	 * Creates the value.
	 * @param file where it is on the host
	 */
	public WorkingDirectoryFile {
	}

	/**
	 * Reads the directory.
	 * @return an existing directory, or null if it is not known
	 */
	public @Nullable Path read() {
		Path directory = name();
		return (directory != null && Files.isDirectory(directory)) ? directory : null;
	}

	/**
	 * Reads the directory as the command sees it, which need not be there on the host.
	 * @return an absolute path, or null if it is not known
	 */
	public @Nullable Path name() {
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
			ByteBuffer name = ByteBuffer.wrap(content, 0, content.length - 1);
			Path directory = Path.of(StandardCharsets.UTF_8.newDecoder().decode(name).toString());
			return directory.isAbsolute() ? directory : null;
		}
		catch (IOException | IllegalArgumentException ex) {
			return null;
		}
	}

	/**
	 * Removes the file if it is there.
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
