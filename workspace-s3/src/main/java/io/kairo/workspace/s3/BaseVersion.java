package io.kairo.workspace.s3;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The version of an object that the file on this machine is based on. Immutable.
 *
 * @param etag the version
 * @param size the size of that version in bytes
 * @param modified the time at which it was written
 * @param fetched whether the file has had its content; otherwise it is a placeholder
 * until it is fetched or overwritten
 * @param sha256 the hash of its content, null if it was not fetched
 * @param fingerprint the attributes of the file with that content, null while there is no
 * file yet
 */
record BaseVersion(String etag, long size, Instant modified, boolean fetched, @Nullable String sha256,
		@Nullable String fingerprint) {

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
