package io.kairo.sandbox.remote.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.host.OwnerOnly;

/**
 * Contents of files by their hash, on disk. Each owner has contents of its own: another
 * owner can neither find nor read them. The least recently used contents make room for
 * others; contents in use stay. Safe for use by several threads.
 */
final class ContentStore {

	/** Small files take up a block. */
	private static final int BLOCK = 4096;

	private final Path directory;

	private final long maxBytes;

	/** The least recently used one comes first. */
	private final Map<Key, Stored> contents = new LinkedHashMap<>(16, 0.75f, true);

	private long bytes;

	/**
	 * Creates a store without contents.
	 * @param directory an empty directory that no other object uses
	 * @param maxBytes maximum size of all contents, in blocks of 4 KiB
	 */
	ContentStore(Path directory, long maxBytes) {
		this.directory = directory;
		this.maxBytes = maxBytes;
	}

	/**
	 * Returns the path of a content that is in use.
	 */
	Path path(Key key) {
		return this.directory.resolve(key.owner()).resolve(key.sha256());
	}

	/**
	 * Starts to use a content, if it is there.
	 * @return whether it is there, and stays until it is {@linkplain #release released}
	 */
	synchronized boolean use(Key key) {
		Stored known = this.contents.get(key);
		if (known != null) {
			known.users++;
		}
		return known != null;
	}

	/**
	 * Ends one use of a content.
	 */
	synchronized void release(Key key) {
		Stored known = this.contents.get(key);
		if (known != null) {
			known.users--;
		}
	}

	/**
	 * Adds a content. It is then in use as after {@link #use(Key)}.
	 * @param file a file with the content on the same file system; it is moved, or
	 * deleted if the content is there
	 * @param size its size in bytes
	 * @throws IOException if it cannot be moved, or the contents in use leave no room for
	 * it
	 */
	synchronized void add(Key key, Path file, long size) throws IOException {
		if (use(key)) {
			Files.delete(file);
			return;
		}
		long room = (size + BLOCK - 1) / BLOCK * BLOCK;
		makeRoom(room);
		Path path = path(key);
		OwnerOnly.createDirectories(path.resolveSibling(""));
		Files.move(file, path, StandardCopyOption.ATOMIC_MOVE);
		this.bytes += room;
		Stored added = new Stored(room);
		added.users = 1;
		this.contents.put(key, added);
	}

	private void makeRoom(long room) throws IOException {
		Iterator<Map.Entry<Key, Stored>> oldest = this.contents.entrySet().iterator();
		while (this.bytes + room > this.maxBytes && oldest.hasNext()) {
			Map.Entry<Key, Stored> each = oldest.next();
			if (each.getValue().users == 0) {
				Files.deleteIfExists(path(each.getKey()));
				this.bytes -= each.getValue().room;
				oldest.remove();
			}
		}
		if (this.bytes + room > this.maxBytes) {
			throw new IOException("the contents that are in use leave no room for another one: all of them may have "
					+ this.maxBytes + " bytes");
		}
	}

	/**
	 * Returns the size of all contents.
	 */
	synchronized long bytes() {
		return this.bytes;
	}

	/**
	 * A content.
	 *
	 * @param owner who has stored it, as a name of a directory
	 * @param sha256 its hash
	 */
	record Key(String owner, String sha256) {

	}

	private static final class Stored {

		private final long room;

		private int users;

		Stored(long room) {
			this.room = room;
		}

	}

}
