package io.kairo.workspace.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.host.Sha256;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/**
 * The objects at the location of a workspace, with the credentials of its tenant. Every
 * key is built here, from the prefix of the location and a path below it. Safe for use by
 * several threads; at most as many as configured send requests at once.
 */
final class Bucket {

	/** Metadata with the identity of the write that created an object. */
	static final String WRITE_ID = "kairo-write";

	/** Metadata of files that can be executed. */
	static final String EXECUTABLE = "kairo-executable";

	private static final int NOT_FOUND = 404;

	private static final int CONFLICT = 409;

	private static final int PRECONDITION_FAILED = 412;

	private final S3Client client;

	private final S3Location location;

	private final TenantContext tenant;

	private final S3Credentials credentials;

	private final S3Encryption encryption;

	private final S3Limits limits;

	private final Semaphore requests;

	Bucket(S3Client client, S3Location location, TenantContext tenant, S3Credentials credentials,
			S3Encryption encryption, S3Limits limits) {
		this.client = client;
		this.location = location;
		this.tenant = tenant;
		this.credentials = credentials;
		this.encryption = encryption;
		this.limits = limits;
		this.requests = new Semaphore(limits.concurrency());
	}

	S3Location location() {
		return this.location;
	}

	S3Limits limits() {
		return this.limits;
	}

	/**
	 * Lists the objects in a directory, all pages within the timeout of a request.
	 * @param directory the path of the directory, empty for the root
	 * @param recursive whether to list everything below it
	 * @param maxObjects maximum number of objects; a longer listing is refused
	 * @throws WorkspaceException if it fails
	 */
	RemoteListing list(String directory, boolean recursive, int maxObjects) {
		String below = directory.isEmpty() ? "" : directory + "/";
		String prefix = this.location.key(below);
		ListingParts parts = new ListingParts(this.location, prefix);
		Set<String> tokens = new HashSet<>();
		String token = null;
		long start = System.nanoTime();
		do {
			Duration left = this.limits.timeout().minusNanos(System.nanoTime() - start);
			if (left.compareTo(Duration.ZERO) <= 0 || Thread.currentThread().isInterrupted()) {
				throw S3Failures.remote(this.location, "list",
						AbortedException.create("The listing has not ended after %d pages".formatted(tokens.size())));
			}
			ListObjectsV2Request request = ListObjectsV2Request.builder()
				.bucket(this.location.bucket())
				.prefix(prefix.isEmpty() ? null : prefix)
				.delimiter(recursive ? null : "/")
				// XML has no place for every character of a key
				.encodingType(EncodingType.URL)
				.continuationToken(token)
				.overrideConfiguration(override().toBuilder().apiCallTimeout(left).build())
				.build();
			ListObjectsV2Response page = send("list", () -> this.client.listObjectsV2(request));
			parts.add(page);
			if (parts.size() > maxObjects) {
				throw S3Failures.tooLarge("There are more than the " + this.limits.maxObjects()
						+ " objects of one workspace in " + this.location,
						"open a narrower prefix, or let the operator allow more");
			}
			token = Boolean.TRUE.equals(page.isTruncated()) ? page.nextContinuationToken() : null;
			if (Boolean.TRUE.equals(page.isTruncated()) && (token == null || !tokens.add(token))) {
				throw S3Failures.nonsense(this.location, "list", "with pages that do not end",
						new IllegalStateException("repeated token"));
			}
		}
		while (token != null);
		return parts.listing();
	}

	/**
	 * Returns the current version of an object.
	 * @return null if there is none
	 * @throws WorkspaceException if it fails
	 */
	@Nullable RemoteObject head(String path) {
		HeadObjectRequest request = HeadObjectRequest.builder()
			.bucket(this.location.bucket())
			.key(this.location.key(path))
			.overrideConfiguration(override())
			.build();
		try {
			return sendRaw(() -> {
				HeadObjectResponse found = this.client.headObject(request);
				return new RemoteObject(path, etag(found.eTag()), size(found.contentLength()),
						Objects.requireNonNullElse(found.lastModified(), Instant.EPOCH), found.metadata());
			});
		}
		catch (SdkException ex) {
			if (ex instanceof S3Exception answer && answer.statusCode() == NOT_FOUND) {
				return null;
			}
			throw S3Failures.remote(this.location, "describe an object", ex);
		}
	}

	/**
	 * Fetches the content of an object within the timeout of a request.
	 * @param target the new file to write
	 * @return the object and the hash of its content, null if there is none
	 * @throws WorkspaceException if it fails; the file may exist then
	 */
	@Nullable Fetched get(String path, Path target) {
		GetObjectRequest request = GetObjectRequest.builder()
			.bucket(this.location.bucket())
			.key(this.location.key(path))
			.overrideConfiguration(override())
			.build();
		try {
			return sendRaw(() -> {
				long start = System.nanoTime();
				return receive(path, this.client.getObject(request), target, start);
			});
		}
		catch (SdkException ex) {
			if (ex instanceof S3Exception answer && answer.statusCode() == NOT_FOUND && !isNoBucket(answer)) {
				return null;
			}
			throw S3Failures.remote(this.location, "fetch an object", ex);
		}
	}

	private Fetched receive(String path, ResponseInputStream<GetObjectResponse> in, Path target, long start) {
		GetObjectResponse found = in.response();
		long size = size(found.contentLength());
		try {
			if (size > this.limits.maxObjectBytes()) {
				throw tooLarge(path);
			}
			String sha256 = save(path, in, size, target, start);
			return new Fetched(new RemoteObject(path, etag(found.eTag()), size,
					Objects.requireNonNullElse(found.lastModified(), Instant.EPOCH), found.metadata()), sha256);
		}
		finally {
			in.abort(); // closes the connection unless everything was read
		}
	}

	private String save(String path, InputStream in, long size, Path target, long start) {
		MessageDigest digest = Sha256.digest();
		long saved = 0;
		try (OutputStream file = Files.newOutputStream(target, StandardOpenOption.CREATE,
				StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
				OutputStream out = new DigestOutputStream(file, digest)) {
			byte[] buffer = new byte[1 << 16];
			while (true) {
				int count = read(in, buffer);
				if (count < 0) {
					break;
				}
				saved += count;
				if (saved > this.limits.maxObjectBytes()) {
					throw tooLarge(path);
				}
				// the client bounds the time until the content begins
				if (System.nanoTime() - start >= this.limits.timeout().toNanos()
						|| Thread.currentThread().isInterrupted()) {
					throw AbortedException.create("The content has not ended after %,d bytes".formatted(saved));
				}
				out.write(buffer, 0, count);
			}
		}
		catch (IOException ex) {
			throw S3Failures.here("An object of " + this.location + " could not be saved", ex);
		}
		if (saved != size) {
			throw SdkClientException.create("The content ended early");
		}
		return HexFormat.of().formatHex(digest.digest());
	}

	/**
	 * Reads from the object store, so that its failures differ from failures of the disk.
	 */
	private static int read(InputStream in, byte[] buffer) {
		try {
			return in.read(buffer);
		}
		catch (IOException ex) {
			throw SdkClientException.create("The content ended early", ex);
		}
	}

	private WorkspaceException tooLarge(String path) {
		return S3Failures.tooLarge("The object " + path + " is larger than the " + this.limits.maxObjectBytes()
				+ " bytes that are fetched of one", "leave it where it is, or let the operator allow more");
	}

	/**
	 * Writes an object if its version is still the expected one.
	 * @param etag the expected version, null for no object
	 * @param writeId the identity of this write
	 * @return the new version
	 * @throws ConflictException if the version is another one; possibly as this request
	 * was repeated, and the first one has succeeded
	 * @throws WorkspaceException if it fails, possibly after it has succeeded
	 */
	String put(String path, Path content, @Nullable String etag, String writeId, boolean executable)
			throws ConflictException {
		Map<String, String> metadata = new LinkedHashMap<>(Map.of(WRITE_ID, writeId));
		if (executable) {
			metadata.put(EXECUTABLE, "true");
		}
		PutObjectRequest.Builder request = PutObjectRequest.builder()
			.bucket(this.location.bucket())
			.key(this.location.key(path))
			.metadata(metadata)
			.overrideConfiguration(override());
		if (etag != null) {
			request.ifMatch(etag);
		}
		else {
			request.ifNoneMatch("*");
		}
		if (this.encryption.kind() == S3Encryption.Kind.S3) {
			request.serverSideEncryption(ServerSideEncryption.AES256);
		}
		else if (this.encryption.kind() == S3Encryption.Kind.KMS) {
			request.serverSideEncryption(ServerSideEncryption.AWS_KMS).ssekmsKeyId(this.encryption.kmsKey());
		}
		PutObjectRequest built = request.build();
		PutObjectResponse written = conditional("write an object", etag != null,
				() -> this.client.putObject(built, RequestBody.fromFile(content)));
		return etag(written.eTag());
	}

	/**
	 * Deletes an object if its version is still the expected one.
	 * @throws ConflictException if the version is another one, or there is no object any
	 * more
	 * @throws WorkspaceException if it fails, possibly after it has succeeded
	 */
	void delete(String path, String etag) throws ConflictException {
		DeleteObjectRequest request = DeleteObjectRequest.builder()
			.bucket(this.location.bucket())
			.key(this.location.key(path))
			.ifMatch(etag)
			.overrideConfiguration(override())
			.build();
		conditional("delete an object", true, () -> this.client.deleteObject(request));
	}

	private <T> T conditional(String doing, boolean match, Supplier<T> request) throws ConflictException {
		try {
			return sendRaw(request);
		}
		catch (SdkException ex) {
			if (ex instanceof S3Exception answer
					&& (answer.statusCode() == PRECONDITION_FAILED || answer.statusCode() == CONFLICT
							|| (match && answer.statusCode() == NOT_FOUND && !isNoBucket(answer)))) {
				throw new ConflictException(ex);
			}
			throw S3Failures.remote(this.location, doing, ex);
		}
	}

	private static boolean isNoBucket(S3Exception answer) {
		return answer.awsErrorDetails() != null && "NoSuchBucket".equals(answer.awsErrorDetails().errorCode());
	}

	private AwsRequestOverrideConfiguration override() {
		return AwsRequestOverrideConfiguration.builder()
			.credentialsProvider(this.credentials.find(this.tenant))
			.build();
	}

	private <T> T send(String doing, Supplier<T> request) {
		try {
			return sendRaw(request);
		}
		catch (SdkException ex) {
			throw S3Failures.remote(this.location, doing, ex);
		}
	}

	private <T> T sendRaw(Supplier<T> request) {
		this.requests.acquireUninterruptibly();
		try {
			return request.get();
		}
		finally {
			this.requests.release();
		}
	}

	static long size(@Nullable Long size) {
		return (size != null) ? size : 0;
	}

	private String etag(@Nullable String etag) {
		if (etag == null || etag.isBlank()) {
			throw S3Failures.nonsense(this.location, "name a version", "without an ETag",
					new IllegalStateException("no ETag"));
		}
		return quoted(etag);
	}

	/**
	 * Returns a version with quotation marks, as some object stores leave them out.
	 */
	static String quoted(String etag) {
		return etag.startsWith("\"") ? etag : "\"" + etag + "\"";
	}

	/**
	 * A fetched object.
	 *
	 * @param object the object
	 * @param sha256 the hash of its content
	 */
	record Fetched(RemoteObject object, String sha256) {

	}

}
