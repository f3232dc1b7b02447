package io.kairo.linux;

/**
 * An entry as its directory lists it. Immutable.
 *
 * @param name its name, with replacement characters for bytes that are not text
 * @param text whether the name has no such bytes, so that it can be opened by the name
 * @param type its type at that time
 */
public record DirectoryEntry(String name, boolean text, Type type) {

	/**
	 * Returns the type of an entry.
	 * @param number the number as of readdir(3)
	 */
	static Type type(int number) {
		return switch (number) {
			case 0 -> Type.UNKNOWN;
			case 4 -> Type.DIRECTORY;
			case 8 -> Type.FILE;
			case 10 -> Type.LINK;
			default -> Type.OTHER;
		};
	}

	/**
	 * The type of an entry.
	 */
	public enum Type {

		/** A regular file. */
		FILE,

		/** A directory. */
		DIRECTORY,

		/** A symbolic link. */
		LINK,

		/** A FIFO, a socket or a device. */
		OTHER,

		/** The file system lists no types. */
		UNKNOWN

	}

}
