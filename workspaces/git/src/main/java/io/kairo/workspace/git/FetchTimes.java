package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.host.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * The times of the last fetches of a store, kept on the disk for all processes. A fetch
 * by another process does not count for a credential: the remote must first have accepted
 * that credential from this process. Credentials are kept in memory only.
 */
final class FetchTimes {

	private final Path directory;

	private final Map<Shown, Instant> accepted = new ConcurrentHashMap<>();

	FetchTimes(Path store) {
		this.directory = store.resolve("fetched");
	}

	/**
	 * Returns whether the last fetch is younger than an age. For a credential, only
	 * fetches with that credential count.
	 */
	boolean isFresh(String key, @Nullable GitCredential credential, Duration age) throws IOException {
		Instant last = (credential != null) ? this.accepted.get(new Shown(key, credential)) : last(key);
		Instant now = Instant.now();
		return last != null && !last.isAfter(now) && last.plus(age).isAfter(now);
	}

	/**
	 * Returns the time of the last fetch by any process, or null if there was none.
	 */
	@Nullable Instant last(String key) throws IOException {
		try {
			return Instant.parse(Files.readString(file(key)));
		}
		catch (NoSuchFileException ex) {
			return null;
		}
		catch (DateTimeParseException ex) {
			return null; // A crash may have left half a line.
		}
	}

	/**
	 * Records a fetch that has just succeeded.
	 */
	void record(String key, @Nullable GitCredential credential) throws IOException {
		Instant now = Instant.now();
		Files.writeString(file(key), now.toString());
		if (credential != null) {
			this.accepted.keySet().removeIf((shown) -> shown.key().equals(key) && this.accepted.size() > 1000);
			this.accepted.put(new Shown(key, credential), now);
		}
	}

	/**
	 * Forgets the accepted credentials, as the fetched objects are gone.
	 */
	void forget() {
		this.accepted.clear();
	}

	private Path file(String key) {
		return this.directory.resolve(Sha256.hex(key, 16));
	}

	/**
	 * A fetch with a credential.
	 */
	private record Shown(String key, GitCredential credential) {
	}

}
