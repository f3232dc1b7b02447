package io.kairo.workspace.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

import io.kairo.workspace.disk.handle.OpenDirectory;
import io.kairo.workspace.path.PathSyntax;
import org.jspecify.annotations.Nullable;

/**
 * Where a descent for a change ended: an open directory, and the names that follow in it.
 * There is one name for something that exists or could be created right here, several
 * where directories are missing, and none for the directory itself. Closing it closes the
 * directory.
 *
 * @param directory the last directory that exists
 * @param names what follows
 * @param attributes what is there; null if nothing is
 */
record WriteTarget(OpenDirectory directory, List<Path> names,
		@Nullable BasicFileAttributes attributes) implements Closeable {

	WriteTarget {
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
	 * Returns how many names lead here from the directory that the descent started from.
	 */
	int depth() {
		return this.directory.path().getNameCount() - this.directory.base().getNameCount() + this.names.size();
	}

	/**
	 * Makes sure that what is going to be made here can be walked to.
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
	 * Returns what exists here.
	 */
	ExistingEntry existing() throws RefusedException {
		if (this.attributes == null) {
			throw RefusedException.notFound();
		}
		return new ExistingEntry(this.directory, this.names.isEmpty() ? null : name(), this.attributes);
	}

	/**
	 * Returns the attributes of the entry here that is no directory, or null if there is
	 * none.
	 * @throws RefusedException if it is a directory, or no regular file
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
