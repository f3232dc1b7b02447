package io.kairo.workspace.local.repository;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * The last state of the repository in a root that is known to be good.
 *
 * @param root the root
 * @param key the identity of the root in its file system
 * @param kind the kind of the repository
 * @param config the content of {@code .git/config}, without null characters; null if
 * there is none
 */
record RepositoryState(Path root, String key, Kind kind, byte @Nullable [] config) {

	RepositoryState(Path root, String key, Kind kind) {
		this(root, key, kind, null);
	}

	byte[] toBytes() {
		String text = (this.config != null) ? "=" + new String(this.config, StandardCharsets.ISO_8859_1) : "";
		return String.join("\0", this.root.toString(), this.key, this.kind.name(), text)
			.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Reads the output of {@link #toBytes}.
	 * @throws IOException if it is damaged
	 */
	static RepositoryState ofBytes(byte[] bytes) throws IOException {
		String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\0", -1);
		try {
			return new RepositoryState(Path.of(parts[0]), parts[1], Kind.valueOf(parts[2]),
					parts[3].isEmpty() ? null : parts[3].substring(1).getBytes(StandardCharsets.ISO_8859_1));
		}
		catch (IllegalArgumentException | IndexOutOfBoundsException ex) {
			throw new IOException("The record of a repository is damaged", ex);
		}
	}

	/**
	 * The kind of a repository: commands may write all of a new one, only the
	 * configuration of an existing one, and nothing where that cannot be checked.
	 */
	enum Kind {

		NEW, EXISTING, READ_ONLY

	}

}
