package io.kairo.api.workspace;

import java.util.Locale;

/**
 * Why an operation on a workspace did not succeed. The codes are stable: clients decide
 * by them. New constants are only ever added at the end.
 *
 * @since 0.1.0
 */
public enum WorkspaceErrorCode {

	/** The agent has no workspace. */
	WORKSPACE_NOT_ASSIGNED,

	/** The path leads out of the workspace, by its text or through a link. */
	PATH_TRAVERSAL_BLOCKED,

	/** The path cannot be a path: empty, too long, or with a control character. */
	INVALID_PATH,

	/** Nothing is there. */
	FILE_NOT_FOUND,

	/** Something is there already. */
	FILE_EXISTS,

	/** A directory was needed. */
	NOT_A_DIRECTORY,

	/** A file was needed. */
	IS_A_DIRECTORY,

	/** The directory has entries and the change was not recursive. */
	DIRECTORY_NOT_EMPTY,

	/** The operating system denied access. */
	PERMISSION_DENIED,

	/** The workspace, or this store, may only be read. */
	READ_ONLY,

	/** The write policy protects this path. */
	PROTECTED_PATH,

	/** The file is not in the version that was expected. */
	STALE_READ,

	/** The change would exceed the quota of the workspace or the tenant. */
	QUOTA_EXCEEDED,

	/** The file is too large for this operation. */
	TOO_LARGE,

	/** Not a regular file, or not the kind of content that the operation needs. */
	UNSUPPORTED_FILE_TYPE,

	/** Several names match and none exactly. */
	AMBIGUOUS_PATH,

	/** No provider serves the hint. */
	UNKNOWN_PROVIDER,

	/** The change failed for another reason; nothing was changed. */
	WRITE_FAILED,

	/** Reading failed for another reason. */
	READ_FAILED,

	/** The remote did not answer, or not in time. */
	REMOTE_UNREACHABLE,

	/** The remote does not let this caller in. */
	REMOTE_REFUSED,

	/** The remote has no such branch, tag or commit. */
	REF_NOT_FOUND,

	/** Somebody else changed the same thing first. */
	CONFLICT,

	/** The tenant has as many workspaces open as it may have. */
	TOO_MANY_WORKSPACES;

	/**
	 * Returns the code as it appears in results.
	 * @return the name in lower case, such as {@code file_not_found}
	 */
	public String code() {
		return name().toLowerCase(Locale.ROOT);
	}

}
