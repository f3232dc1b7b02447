package io.kairo.workspace.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceResult;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Creates the exceptions for failures of an object store and of this machine. Messages
 * have the code of an error, but no text of the object store.
 */
final class S3Failures {

	private static final Set<String> EXPIRED = Set.of("ExpiredToken", "TokenRefreshRequired", "InvalidToken",
			"RequestExpired");

	private static final Set<String> FULL = Set.of("QuotaExceeded", "InsufficientStorage", "XMinioStorageFull",
			"StorageFull", "NotEnoughStorage");

	private static final int INSUFFICIENT_STORAGE = 507;

	private S3Failures() {
	}

	/**
	 * Returns the exception for a failed request.
	 * @param location the location
	 * @param doing the request, such as "list"
	 * @param cause the failure
	 */
	static WorkspaceException remote(S3Location location, String doing, SdkException cause) {
		String start = "The object store of " + location + " ";
		if (cause instanceof S3Exception answer) {
			return answered(start, doing, answer);
		}
		String said = String.valueOf(cause.getMessage());
		if (said.contains("Unable to load credentials") || said.contains("credentials provider")) {
			return new WorkspaceException(WorkspaceErrorCode.REMOTE_REFUSED, start
					+ "was not asked, as there are no credentials for it: configure some for this application or tenant",
					cause);
		}
		if (said.contains(BoundedAnswers.TOO_LONG)) {
			return nonsense(location, doing, "with more than is read of such an answer", cause);
		}
		if (said.contains("unmarshall") || said.contains("parse") || said.contains("XML")) {
			return nonsense(location, doing, "with something else than S3", cause);
		}
		return new WorkspaceException(WorkspaceErrorCode.REMOTE_UNREACHABLE,
				start + "did not answer a request to " + doing + " in time, or broke off: try again later", cause);
	}

	private static WorkspaceException answered(String start, String doing, S3Exception answer) {
		String code = (answer.awsErrorDetails() != null && answer.awsErrorDetails().errorCode() != null)
				? answer.awsErrorDetails().errorCode().replaceAll("[^A-Za-z0-9.]", "") : "";
		String shown = " (" + answer.statusCode() + (code.isEmpty() ? "" : " " + code) + ")";
		if (code.equals("RequestTimeTooSkewed")) {
			return new WorkspaceException(WorkspaceErrorCode.REMOTE_REFUSED, start + "refused to " + doing
					+ ", as its clock and that of this machine differ too much" + shown + ": synchronise the clock",
					answer);
		}
		if (EXPIRED.contains(code)) {
			return new WorkspaceException(WorkspaceErrorCode.REMOTE_REFUSED,
					start + "refused to " + doing + ", as the credentials have expired" + shown + ": renew them",
					answer);
		}
		if (FULL.contains(code) || answer.statusCode() == INSUFFICIENT_STORAGE) {
			return new WorkspaceException(WorkspaceErrorCode.QUOTA_EXCEEDED,
					start + "has no space left, or a quota is exceeded" + shown
							+ ": delete objects, or let the operator allow " + "more",
					answer);
		}
		if (code.equals("NoSuchBucket")) {
			return new WorkspaceException(WorkspaceErrorCode.REMOTE_REFUSED,
					start + "has no such bucket" + shown + ": check its name and the endpoint", answer);
		}
		// a redirect is not followed: it would send what is signed for one host to
		// another
		if (answer.statusCode() >= 300 && answer.statusCode() < 500) {
			return new WorkspaceException(WorkspaceErrorCode.REMOTE_REFUSED, start + "refused to " + doing + shown
					+ ": check the bucket, the endpoint, the region and the rights of the credentials", answer);
		}
		return new WorkspaceException(WorkspaceErrorCode.REMOTE_UNREACHABLE,
				start + "failed to " + doing + shown + ": try again later", answer);
	}

	/**
	 * Returns the exception for a client that cannot be created.
	 */
	static WorkspaceException unusable(SdkException cause) {
		boolean region = String.valueOf(cause.getMessage()).contains("region");
		return new WorkspaceException(WorkspaceErrorCode.REMOTE_REFUSED,
				region ? "The region of the object store is not known: set one for this application, or an endpoint"
						: "The client of the object store cannot be created: check the endpoint and the region",
				cause);
	}

	/**
	 * Returns the exception for an answer that no object store gives.
	 */
	static WorkspaceException nonsense(S3Location location, String doing, String what, Throwable cause) {
		return new WorkspaceException(WorkspaceErrorCode.REMOTE_UNREACHABLE, "The object store of " + location
				+ " answered a request to " + doing + " " + what + ": check the endpoint", cause);
	}

	/**
	 * Returns the exception for a failure on this machine. Only the cause has paths of
	 * the host; it is for the log.
	 * @param failure an {@link IOException}, or an {@link UncheckedIOException} with one
	 */
	static WorkspaceException here(String what, Exception failure) {
		Throwable cause = (failure instanceof UncheckedIOException) ? failure.getCause() : failure;
		String said = (cause != null) ? String.valueOf(cause.getMessage()) : "";
		boolean full = said.contains("No space left") || said.contains("quota exceeded");
		return new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED, full
				? what + ", as no space is left: free some and try again"
				: what + ": make sure that this application may write to the directory of its workspaces, and try again",
				cause);
	}

	/**
	 * Returns an exception as the result of an operation.
	 */
	static <T> WorkspaceResult<T> result(WorkspaceException failure) {
		return WorkspaceResult.failure(failure.code(), String.valueOf(failure.getMessage()));
	}

	static WorkspaceException tooLarge(String what, String remedy) {
		return new WorkspaceException(WorkspaceErrorCode.TOO_LARGE, what + ": " + remedy, null);
	}

}
