package io.kairo.sandbox.remote.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;

import io.kairo.sandbox.support.copy.CopiedEntry;

/**
 * The contents of one owner that stay in the store as long as they are held. For use by
 * one thread at a time.
 */
final class HeldContents implements CopyTree.Contents {

	private final ServedCopies copies;

	private final String owner;

	private final Set<ContentStore.Key> held = new HashSet<>();

	HeldContents(ServedCopies copies, String owner) {
		this.copies = copies;
		this.owner = owner;
	}

	private ContentStore.Key key(String content) {
		return new ContentStore.Key(this.owner, content);
	}

	@Override
	public Path path(String content) {
		return this.copies.store().path(key(content));
	}

	/**
	 * Holds a content, if it is there.
	 * @return whether it is there
	 */
	boolean hold(String content) {
		ContentStore.Key key = key(content);
		if (this.held.contains(key)) {
			return true;
		}
		return this.copies.store().use(key) && this.held.add(key);
	}

	/**
	 * Stores a content and holds it.
	 * @param file a file with the content; it is moved or deleted
	 * @throws IOException if there is no room for it
	 */
	void add(String content, Path file, long size) throws IOException {
		ContentStore.Key key = key(content);
		try {
			if (!this.held.contains(key)) {
				this.copies.store().add(key, file, size);
				this.held.add(key);
			}
		}
		finally {
			Files.deleteIfExists(file);
		}
	}

	/**
	 * Stores as many bytes of a file as it had, and holds them.
	 */
	@Override
	public String add(Path file, long size) throws IOException {
		Path copy = this.copies.newPath();
		String content;
		try (OutputStream output = Files.newOutputStream(copy, StandardOpenOption.CREATE_NEW)) {
			content = HexFormat.of().formatHex(CopiedEntry.copy(file, size, output));
		}
		catch (IOException ex) {
			Files.deleteIfExists(copy);
			throw ex;
		}
		add(content, copy, size);
		return content;
	}

	/**
	 * Returns a path for a new file on the file system of the store.
	 */
	Path newPath() throws IOException {
		return this.copies.newPath();
	}

	void releaseAll() {
		this.held.forEach(this.copies.store()::release);
		this.held.clear();
	}

}
