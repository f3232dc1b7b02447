package io.kairo.workspace.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import org.jspecify.annotations.Nullable;

/**
 * Checks, before the first write to a bucket, that its object store enforces conditional
 * requests. An object store ignoring the conditions would let one writer replace the
 * version of another one in silence. Safe for use by several threads.
 */
final class ConditionCheck {

	private static final String OTHER = "\"00000000000000000000000000000000\"";

	private final Set<String> checked = ConcurrentHashMap.newKeySet();

	/**
	 * Checks a bucket unless that was done before. An object with a name that the disk
	 * store keeps for itself is created below the prefix of the workspace, and deleted.
	 * @param bucket the objects of a workspace in it
	 * @param staged the path of a new file of the application
	 * @throws WorkspaceException if conditions are ignored, or the check fails
	 */
	void require(Bucket bucket, Path staged) {
		if (this.checked.contains(bucket.location().bucket())) {
			return;
		}
		try {
			Files.createFile(staged);
			check(bucket, staged);
			this.checked.add(bucket.location().bucket());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			try {
				Files.deleteIfExists(staged);
			}
			catch (IOException ex) {
				// It is removed with the workspace.
			}
		}
	}

	private static void check(Bucket bucket, Path staged) {
		String path = ".kairo-" + UUID.randomUUID().toString().replace("-", "");
		String etag = put(bucket, path, staged);
		boolean enforced;
		try {
			enforced = isRefused(bucket, path, staged, null) && isRefused(bucket, path, staged, OTHER);
		}
		catch (WorkspaceException ex) {
			deleteQuietly(bucket, path, etag, ex);
			throw ex;
		}
		delete(bucket, path, etag);
		if (!enforced) {
			throw new WorkspaceException(WorkspaceErrorCode.REMOTE_REFUSED, "The object store of " + bucket.location()
					+ " ignores If-Match or If-None-Match, so that one writer could replace the version of another one: "
					+ "use an object store with conditional writes", null);
		}
	}

	private static void deleteQuietly(Bucket bucket, String path, String etag, WorkspaceException failure) {
		try {
			delete(bucket, path, etag);
		}
		catch (WorkspaceException ex) {
			failure.addSuppressed(ex);
		}
	}

	private static void delete(Bucket bucket, String path, String etag) {
		try {
			bucket.delete(path, etag);
		}
		catch (ConflictException ex) {
			// It was replaced, as conditions are ignored.
			RemoteObject now = bucket.head(path);
			if (now != null) {
				try {
					bucket.delete(path, now.etag());
				}
				catch (ConflictException again) {
					// Another process uses the same random name, or the store fails.
				}
			}
		}
	}

	private static String put(Bucket bucket, String path, Path staged) {
		String id = UUID.randomUUID().toString();
		try {
			return bucket.put(path, staged, null, id, false);
		}
		catch (ConflictException ex) {
			RemoteObject now = bucket.head(path);
			if (now != null && id.equals(now.metadata().get(Bucket.WRITE_ID))) {
				return now.etag(); // the answer to the first attempt was lost
			}
			throw S3Failures.nonsense(bucket.location(), "write an object", "with a conflict where there was no object",
					ex);
		}
	}

	private static boolean isRefused(Bucket bucket, String path, Path staged, @Nullable String etag) {
		try {
			bucket.put(path, staged, etag, UUID.randomUUID().toString(), false);
			return false;
		}
		catch (ConflictException ex) {
			return true;
		}
	}

}
