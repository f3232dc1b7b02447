package io.kairo.workspace.s3;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The version of an object that the file on this machine is based on. Immutable.
 *
 * @param etag the version
 * @param size the size of that version in bytes
 * @param modified the time of its write
 * @param fetched whether the file has had its content; otherwise it is a placeholder
 * until it is fetched or overwritten
 * @param sha256 the hash of its content, null if it was not fetched
 * @param fingerprint the attributes of the file with that content, null while there is no
 * file yet
 */
record BaseVersion(String etag, long size, Instant modified, boolean fetched, @Nullable String sha256,
		@Nullable String fingerprint) {

	/**
	 * Returns the version of a {@linkplain #record(String) record}.
	 */
	static BaseVersion of(List<String> record) {
		return new BaseVersion(record.get(2), Long.parseLong(record.get(3)), Instant.parse(record.get(4)),
				Boolean.parseBoolean(record.get(5)), nullable(record.get(6)), nullable(record.get(7)));
	}

	/**
	 * Returns the record for the state log.
	 */
	List<String> record(String path) {
		return List.of("version", path, this.etag, String.valueOf(this.size), this.modified.toString(),
				String.valueOf(this.fetched), text(this.sha256), text(this.fingerprint));
	}

	static @Nullable String nullable(String field) {
		return field.isEmpty() ? null : field;
	}

	static String text(@Nullable String value) {
		return (value != null) ? value : "";
	}

	static BaseVersion listed(RemoteObject object) {
		return new BaseVersion(object.etag(), object.size(), object.modified(), false, null, null);
	}

	BaseVersion placed(String fingerprint) {
		return new BaseVersion(this.etag, this.size, this.modified, false, null, fingerprint);
	}

	/**
	 * Returns whether a file is the placeholder of this version, as it was created.
	 */
	boolean isPlaceholder(LocalFile file) {
		return !this.fetched && file.fingerprint().equals(this.fingerprint);
	}

}
