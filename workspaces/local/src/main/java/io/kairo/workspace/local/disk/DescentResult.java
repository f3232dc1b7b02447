package io.kairo.workspace.local.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.path.PathSyntax;
import org.jspecify.annotations.Nullable;

/**
 * The result of a descent, for a read or a change: the directory that the descent ended
 * in, open, and the names below it. There is one name for an entry of that directory,
 * whether it exists or not, several if directories are missing, and none for the
 * directory itself. Closing it closes the directory.
 *
 * @param directory the directory that the descent ended in, open
 * @param names the names below it
 * @param attributes the attributes of the entry; null if it does not exist
 */
record DescentResult(OpenDirectory directory, List<Path> names,
		@Nullable BasicFileAttributes attributes) implements Closeable {

	DescentResult {
		names = List.copyOf(names);
	}

	/**
	 * Returns the path without links.
	 */
	Path physical() {
		Path path = this.directory.path();
		for (Path name : this.names) {
			path = path.resolve(name);
		}
		return path;
	}

	/**
	 * Returns the number of names from the start of the descent to the entry.
	 */
	int depth() {
		return this.directory.path().getNameCount() - this.directory.base().getNameCount() + this.names.size();
	}

	/**
	 * Checks that an entry created here can be reached by a walk.
	 */
	void requireReachable() throws RefusedException {
		if (depth() > PathSyntax.MAX_NAMES) {
			throw RefusedException.tooDeep();
		}
	}

	/**
	 * Returns the name of the entry in the directory.
	 */
	Path name() {
		return this.names.get(0);
	}

	EntryRef ref() {
		return new EntryRef(this.directory, name());
	}

	boolean isDirectory() {
		return this.attributes != null && this.attributes.isDirectory();
	}

	/**
	 * Returns the existing entry.
	 * @throws RefusedException if it does not exist
	 */
	ExistingEntry existing() throws RefusedException {
		if (this.attributes == null) {
			throw RefusedException.notFound();
		}
		return new ExistingEntry(this.directory, this.names.isEmpty() ? null : name(), this.attributes);
	}

	/**
	 * Returns the attributes of a regular file.
	 * @return the attributes, null if there is no entry
	 * @throws RefusedException if the entry is not a regular file
	 */
	@Nullable BasicFileAttributes file() throws RefusedException {
		if (this.names.isEmpty() || isDirectory()) {
			throw RefusedException.directory();
		}
		if (this.attributes != null && !this.attributes.isRegularFile()) {
			throw RefusedException.specialFile();
		}
		return this.attributes;
	}

	@Override
	public void close() throws IOException {
		this.directory.close();
	}

}
