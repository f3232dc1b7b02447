package io.kairo.sandbox.remote;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.sandbox.support.copy.CopiedEntry;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of files that have not changed since they were read, so that an unchanged
 * file is not read again. Safe for use by several threads.
 */
final class CopyHashes {

	private static final int MOST = 100_000;

	/**
	 * A file that was changed so shortly before it was read may have been changed again
	 * without another time.
	 */
	private static final Duration GRANULARITY = Duration.ofSeconds(2);

	private final Map<Path, CopiedEntry> known = new LinkedHashMap<>(16, 0.75f, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<Path, CopiedEntry> eldest) {
			return size() > MOST;
		}

	};

	/**
	 * Returns the SHA-256 of as many bytes of a file as it had.
	 * @param file the key of the cached hash
	 * @param entry its previous properties
	 * @param path a path to open it
	 * @throws IOException if it cannot be read, or is shorter now
	 */
	byte[] hash(Path file, CopiedEntry entry, Path path) throws IOException {
		CopiedEntry before = get(file);
		if (before != null && before.isSame(entry) && before.modified().equals(entry.modified())) {
			return before.content();
		}
		Instant read = Instant.now();
		byte[] hash = read(path, entry.size());
		if (entry.changed().toInstant().isBefore(read.minus(GRANULARITY)) && entry.isSame(CopiedEntry.of(path))) {
			put(file, entry.withContent(hash));
		}
		return hash;
	}

	private synchronized @Nullable CopiedEntry get(Path file) {
		return this.known.get(file);
	}

	private synchronized void put(Path file, CopiedEntry value) {
		this.known.put(file, value);
	}

	private static byte[] read(Path file, long size) throws IOException {
		try {
			return CopiedEntry.copy(file, size, OutputStream.nullOutputStream());
		}
		catch (EOFException ex) {
			throw new CopyTransfer.ChangedException(String.valueOf(ex.getMessage()), ex);
		}
	}

}
