package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

import org.jspecify.annotations.Nullable;

/**
 * A name in an open directory, whether something is there or not.
 */
record Spot(OpenDirectory directory, Path name) {

	/** The identity of what is not there. */
	static final String NOTHING = "nothing";

	@Nullable BasicFileAttributes find() throws IOException {
		return this.directory.find(this.name);
	}

	void moveTo(Spot target) throws IOException {
		this.directory.move(this.name, target.directory, target.name);
	}

	/**
	 * Returns how many names lead here from the directory that the descent started from.
	 */
	int depth() {
		return this.directory.path().getNameCount() - this.directory.base().getNameCount() + 1;
	}

	/**
	 * Returns what identifies the entry here, whatever its name: for a file together with
	 * its content.
	 * @return a text without white space; {@link #NOTHING} if nothing is here
	 */
	String identity() throws IOException {
		return identity(find());
	}

	static String identity(@Nullable BasicFileAttributes attributes) {
		if (attributes == null) {
			return NOTHING;
		}
		// A key alone is given to another file as soon as this one is gone.
		String text = attributes.isRegularFile() ? FileVersion.ofAttributes(attributes)
				: String.valueOf(attributes.fileKey());
		return text.replaceAll("\\s", "");
	}

}
