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
 * Knows when what was fetched. The disk says so for every process; but whoever shows a
 * credential is trusted only after the remote has accepted that very credential from this
 * process, and nothing of it is written down.
 */
final class FetchTimes {

	private final Path directory;

	private final Map<Shown, Instant> accepted = new ConcurrentHashMap<>();

	FetchTimes(Path store) {
		this.directory = store.resolve("fetched");
	}

	/**
	 * Returns whether the last fetch is young enough.
	 */
	boolean isFresh(String key, @Nullable GitCredential credential, Duration age) throws IOException {
		Instant last = (credential != null) ? this.accepted.get(new Shown(key, credential)) : last(key);
		Instant now = Instant.now();
		return last != null && !last.isAfter(now) && last.plus(age).isAfter(now);
	}

	/**
	 * Returns when something was last fetched by anybody, null if never.
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

	void fetched(String key, @Nullable GitCredential credential) throws IOException {
		Instant now = Instant.now();
		Files.writeString(file(key), now.toString());
		if (credential != null) {
			this.accepted.keySet().removeIf((shown) -> shown.key().equals(key) && this.accepted.size() > 1000);
			this.accepted.put(new Shown(key, credential), now);
		}
	}

	/**
	 * Trusts nobody any more, as what was fetched is gone.
	 */
	void forget() {
		this.accepted.clear();
	}

	private Path file(String key) {
		return this.directory.resolve(Sha256.hex(key, 16));
	}

	/**
	 * Who fetched what.
	 */
	private record Shown(String key, GitCredential credential) {
	}

}
