package io.kairo.sandbox.remote.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/**
 * A line of a manifest or of a list of changes, each an object in JSON: a directory of
 * the command, or something in the last such directory. A directory comes before
 * everything in it. Immutable.
 *
 * @param type the type
 * @param path the client's path of a directory of the command; for others, the path
 * relative to it
 * @param mode the permissions, of directories and files
 * @param modified the time of the last change in microseconds since 1970
 * @param size the size of a file in bytes
 * @param content the SHA-256 of a file, the target of a link, or null
 * @param fixed whether the command may not change it
 */
public record CopyLine(Type type, String path, int mode, long modified, long size, @Nullable String content,
		boolean fixed) {

	private static final int LONGEST_TEXT = 64 * 1024;

	private static final JsonMapper MAPPER = JsonMapper
		.builder(JsonFactory.builder()
			.streamReadConstraints(StreamReadConstraints.builder().maxStringLength(LONGEST_TEXT).build())
			.build())
		.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
		.build();

	/**
	 * Creates the line.
	 * @param type the type
	 * @param path the path
	 * @param mode the permissions
	 * @param modified the time of the last change in microseconds since 1970
	 * @param size the size of a file in bytes
	 * @param content the SHA-256 of a file, the target of a link, or null
	 * @param fixed whether the command may not change it
	 * @throws IllegalArgumentException if something is missing or cannot be
	 */
	@SuppressWarnings("NullAway") // the other side may leave out anything
	public CopyLine {
		if (type == null || path == null || (type == Type.LINK && content == null)) {
			throw new IllegalArgumentException("A line has no type, no path, or no target of a link: give all of them");
		}
		if (type == Type.FILE) {
			Piece.requireHash(content);
			if (size < 0 || (size == 0) != content.equals(Piece.EMPTY)) {
				throw new IllegalArgumentException("The file " + path + " has " + size + " bytes: give its true size");
			}
		}
	}

	/**
	 * Returns the path as one inside a directory.
	 * @return a relative path, not empty and without {@code .} and {@code ..}
	 * @throws IllegalArgumentException if it is another one
	 */
	public Path relative() {
		try {
			Path relative = Path.of(this.path);
			boolean inside = !relative.isAbsolute() && !this.path.isEmpty() && relative.equals(relative.normalize())
					&& !relative.startsWith("..") && relative.toString().equals(this.path);
			if (inside) {
				return relative;
			}
		}
		catch (InvalidPathException ex) {
			throw new IllegalArgumentException("The path " + this.path.replace('\0', '?') + " cannot be used here", ex);
		}
		throw new IllegalArgumentException("The path " + this.path + " leads elsewhere");
	}

	/**
	 * Writes this line.
	 * @param output receives it
	 * @throws IOException if that fails
	 */
	public void write(OutputStream output) throws IOException {
		output.write(MAPPER.writeValueAsBytes(this));
		output.write('\n');
	}

	/**
	 * Reads lines.
	 * @param input the lines
	 * @param reader receives each of them
	 * @throws IOException if they cannot be read, or the reader fails
	 * @throws IllegalArgumentException if they are not such lines
	 */
	public static void read(InputStream input, Reader reader) throws IOException {
		try (MappingIterator<CopyLine> lines = MAPPER.readerFor(CopyLine.class).readValues(input)) {
			while (lines.hasNextValue()) {
				CopyLine line = lines.nextValue();
				if (line == null) {
					throw new IllegalArgumentException("A line is null: give an object");
				}
				reader.take(line);
			}
		}
		catch (JacksonException ex) {
			throw new IllegalArgumentException("The lines cannot be read: " + ex.getOriginalMessage(), ex);
		}
	}

	/**
	 * The type of a line.
	 */
	public enum Type {

		/** A directory of the command. */
		ROOT,

		/** A file. */
		FILE,

		/** A directory. */
		DIRECTORY,

		/** A symbolic link. */
		LINK,

		/** Something that cannot be copied, such as a named pipe. */
		OTHER,

		/** Something with a name that is not UTF-8. */
		UNREADABLE,

		/** Something that is not there anymore. */
		DELETED

	}

	/**
	 * Receives lines.
	 */
	@FunctionalInterface
	public interface Reader {

		/**
		 * Takes a line.
		 * @param line the line
		 * @throws IOException if the reading has to end
		 */
		void take(CopyLine line) throws IOException;

	}

}
