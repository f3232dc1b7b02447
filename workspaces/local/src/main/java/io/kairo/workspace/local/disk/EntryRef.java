package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.handle.TreeRemoval;
import org.jspecify.annotations.Nullable;

/**
 * A name in an open directory, whether or not an entry exists.
 */
record EntryRef(OpenDirectory directory, Path name) {

	/** The identity of a missing entry. */
	static final String NOTHING = "nothing";

	@Nullable BasicFileAttributes find() throws IOException {
		return this.directory.find(this.name);
	}

	/**
	 * Removes the entry with everything below it, if there is one.
	 */
	void remove() throws IOException {
		TreeRemoval.remove(this.directory, this.name);
	}

	/**
	 * Checks that access to everything below the entry allows its removal.
	 */
	void requireRemovable() throws IOException {
		TreeRemoval.requireRemovable(this.directory, this.name);
	}

	void moveTo(EntryRef target) throws IOException {
		this.directory.move(this.name, target.directory, target.name);
	}

	/**
	 * Returns the number of names from the start of the descent to this entry.
	 */
	int depth() {
		return this.directory.path().getNameCount() - this.directory.base().getNameCount() + 1;
	}

	/**
	 * Returns the identity of the entry, independent of its name. The identity of a file
	 * includes its content.
	 * @return a text without white space; {@link #NOTHING} if there is no entry
	 */
	String identity() throws IOException {
		return identity(find());
	}

	static String identity(@Nullable BasicFileAttributes attributes) {
		if (attributes == null) {
			return NOTHING;
		}
		// A file key alone may be reused as soon as the file has gone.
		String text = attributes.isRegularFile() ? FileVersion.ofAttributes(attributes)
				: String.valueOf(attributes.fileKey());
		return text.replaceAll("\\s", "");
	}

}
