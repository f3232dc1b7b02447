package io.kairo.workspace.local.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

import io.kairo.workspace.local.disk.handle.OpenDirectory;
import org.jspecify.annotations.Nullable;

/**
 * An existing entry found by a descent: an open directory and the name of an entry in it
 * that is not a link, or the directory itself. Closing it closes the directory.
 */
final class ExistingEntry implements Closeable {

	private final OpenDirectory directory;

	/** Null for the directory itself. */
	private final @Nullable Path name;

	private final BasicFileAttributes attributes;

	private boolean taken;

	ExistingEntry(OpenDirectory directory, @Nullable Path name, BasicFileAttributes attributes) {
		this.directory = directory;
		this.name = name;
		this.attributes = attributes;
	}

	/**
	 * Returns the attributes at the time of the descent.
	 */
	BasicFileAttributes attributes() {
		return this.attributes;
	}

	/**
	 * Opens the entry as a regular file.
	 */
	SeekableByteChannel openFile() throws IOException, RefusedException {
		if (this.name == null || this.attributes.isDirectory()) {
			throw RefusedException.directory();
		}
		if (!this.attributes.isRegularFile()) {
			throw RefusedException.specialFile();
		}
		return this.directory.file(this.name);
	}

	/**
	 * Reads the attributes again.
	 */
	BasicFileAttributes currentAttributes() throws IOException {
		return (this.name != null) ? this.directory.attributes(this.name) : this.attributes;
	}

	/**
	 * Opens the entry as a directory, to be closed by the caller.
	 */
	OpenDirectory openDirectory() throws IOException, RefusedException {
		if (this.name == null) {
			this.taken = true;
			return this.directory;
		}
		if (!this.attributes.isDirectory()) {
			throw RefusedException.notADirectory();
		}
		return this.directory.directory(this.name);
	}

	@Override
	public void close() throws IOException {
		if (!this.taken) {
			this.directory.close();
		}
	}

}
