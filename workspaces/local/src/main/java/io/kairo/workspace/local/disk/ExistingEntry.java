package io.kairo.workspace.local.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

import io.kairo.workspace.local.disk.handle.DirectFile;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import org.jspecify.annotations.Nullable;

/**
 * An existing entry: as a descent finds it, an open directory and the name of an entry in
 * it that is not a link, or the directory itself; or an open file. Closing it closes the
 * directory or the file.
 */
final class ExistingEntry implements Closeable {

	/** Null for an open file. */
	private final @Nullable OpenDirectory directory;

	/** Null for an open file and for the directory itself. */
	private final @Nullable Path name;

	private final @Nullable DirectFile file;

	private final BasicFileAttributes attributes;

	private boolean taken;

	ExistingEntry(OpenDirectory directory, @Nullable Path name, BasicFileAttributes attributes) {
		this.directory = directory;
		this.name = name;
		this.file = null;
		this.attributes = attributes;
	}

	/**
	 * Creates the entry of an open file.
	 */
	ExistingEntry(DirectFile file, BasicFileAttributes attributes) {
		this.directory = null;
		this.name = null;
		this.file = file;
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
		if (this.file != null) {
			return this.file;
		}
		if (this.name == null || this.attributes.isDirectory()) {
			throw RefusedException.directory();
		}
		if (!this.attributes.isRegularFile()) {
			throw RefusedException.specialFile();
		}
		return directory().file(this.name);
	}

	/**
	 * Reads the attributes again.
	 */
	BasicFileAttributes currentAttributes() throws IOException {
		if (this.file != null) {
			return this.file.attributes();
		}
		return (this.name != null) ? directory().attributes(this.name) : this.attributes;
	}

	/**
	 * Opens the entry as a directory, to be closed by the caller.
	 */
	OpenDirectory openDirectory() throws IOException, RefusedException {
		if (!this.attributes.isDirectory()) {
			throw RefusedException.notADirectory();
		}
		if (this.name == null) {
			this.taken = true;
			return directory();
		}
		return directory().directory(this.name);
	}

	private OpenDirectory directory() {
		return Objects.requireNonNull(this.directory);
	}

	@Override
	public void close() throws IOException {
		if (this.file != null) {
			this.file.close();
		}
		else if (!this.taken) {
			directory().close();
		}
	}

}
