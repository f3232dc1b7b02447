package io.kairo.api.workspace;

import java.util.Locale;

/**
 * The reason for the failure of an operation on a workspace. The codes are stable, as
 * clients decide by them. New constants are only added at the end.
 */
public enum WorkspaceErrorCode {

	/** The agent has no workspace. */
	WORKSPACE_NOT_ASSIGNED,

	/** The path is outside the workspace, by its text or through a link. */
	PATH_TRAVERSAL_BLOCKED,

	/** The text is not a valid path: empty, too long, or with a control character. */
	INVALID_PATH,

	/** The file or directory does not exist. */
	FILE_NOT_FOUND,

	/** The file or directory exists already. */
	FILE_EXISTS,

	/** The operation needs a directory. */
	NOT_A_DIRECTORY,

	/** The operation needs a file. */
	IS_A_DIRECTORY,

	/** The directory has entries and the change was not recursive. */
	DIRECTORY_NOT_EMPTY,

	/** The operating system denied access. */
	PERMISSION_DENIED,

	/** The workspace or the store is read-only. */
	READ_ONLY,

	/** The write policy protects this path. */
	PROTECTED_PATH,

	/** The file does not have the expected version. */
	STALE_READ,

	/** The change would exceed the quota of the workspace or the tenant. */
	QUOTA_EXCEEDED,

	/** The file is too large for this operation. */
	TOO_LARGE,

	/** The entry is not a regular file, or its content is not of the required kind. */
	UNSUPPORTED_FILE_TYPE,

	/** Several names match, and none exactly. */
	AMBIGUOUS_PATH,

	/** No provider serves the hint. */
	UNKNOWN_PROVIDER,

	/** The change failed for another reason; nothing was changed. */
	WRITE_FAILED,

	/** Reading failed for another reason. */
	READ_FAILED,

	/** The remote did not answer, or not in time. */
	REMOTE_UNREACHABLE,

	/** The remote denied access. */
	REMOTE_REFUSED,

	/** The remote has no such branch, tag or commit. */
	REF_NOT_FOUND,

	/** A concurrent change was made first. */
	CONFLICT,

	/** The tenant has reached its maximum number of open workspaces. */
	TOO_MANY_WORKSPACES;

	/**
	 * Returns the code as it appears in results.
	 * @return the name in lower case, such as {@code file_not_found}
	 */
	public String code() {
		return name().toLowerCase(Locale.ROOT);
	}

}
