package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.FailureDetail;
import io.kairo.workspace.local.disk.handle.RacedException;
import io.kairo.workspace.local.disk.handle.StuckOpenException;
import io.kairo.workspace.local.path.PathSyntax;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if an operation on a path is refused and a retry would not help. The reason does
 * not name the path, whose spelling is known only where the result is created.
 */
public final class RefusedException extends Exception {

	private static final long serialVersionUID = 1L;

	private static final Logger logger = System.getLogger(RefusedException.class.getName());

	/** The code of the failure. */
	private final WorkspaceErrorCode code;

	/** Problem and remedy, to follow the path in a sentence. */
	private final String reason;

	/** The path, where the code that creates the result does not know it. */
	private final transient @Nullable WorkspacePath subject;

	private RefusedException(WorkspaceErrorCode code, String reason) {
		this(code, reason, null);
	}

	private RefusedException(WorkspaceErrorCode code, String reason, @Nullable WorkspacePath subject) {
		super(reason, null, false, false);
		this.code = code;
		this.reason = reason;
		this.subject = subject;
	}

	/**
	 * Returns the same exception with its path, unless it has one already.
	 */
	RefusedException about(WorkspacePath path) {
		return (this.subject != null) ? this : new RefusedException(this.code, this.reason, path);
	}

	@Nullable WorkspacePath subject() {
		return this.subject;
	}

	/**
	 * Returns the code of the failure.
	 * @return the code
	 */
	public WorkspaceErrorCode code() {
		return this.code;
	}

	/**
	 * Returns problem and remedy.
	 * @return the reason, to follow the path in a sentence
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Returns the failed result of the operation.
	 * @param <T> the type of the value
	 * @param displayed the path, as spelled by the gate
	 * @return the result
	 */
	public <T> WorkspaceResult<T> toFailure(String displayed) {
		return WorkspaceResult.failure(this.code, WorkspacePath.quote(displayed) + " " + this.reason);
	}

	/**
	 * Creates an exception.
	 * @param code the code of the failure
	 * @param reason problem and remedy, to follow the path in a sentence
	 * @return the exception
	 */
	public static RefusedException of(WorkspaceErrorCode code, String reason) {
		return new RefusedException(code, reason);
	}

	static RefusedException exists() {
		return new RefusedException(WorkspaceErrorCode.FILE_EXISTS,
				"exists already: read it first, or give another path");
	}

	static RefusedException tooDeep() {
		return new RefusedException(WorkspaceErrorCode.INVALID_PATH, "leads to more than " + PathSyntax.MAX_NAMES
				+ " names below a root of the workspace: give a place that is less deep");
	}

	static RefusedException root() {
		return new RefusedException(WorkspaceErrorCode.IS_A_DIRECTORY,
				"is the root of the workspace, which stays where it is: give something in it");
	}

	static RefusedException notFound() {
		return new RefusedException(WorkspaceErrorCode.FILE_NOT_FOUND,
				"does not exist: list the directory above it to see what is there");
	}

	static RefusedException notADirectory() {
		return new RefusedException(WorkspaceErrorCode.NOT_A_DIRECTORY, "is not a directory: give a directory");
	}

	static RefusedException fileAbove() {
		return new RefusedException(WorkspaceErrorCode.NOT_A_DIRECTORY,
				"cannot exist, as something above it is not a directory: list the directories above it");
	}

	static RefusedException directory() {
		return new RefusedException(WorkspaceErrorCode.IS_A_DIRECTORY, "is a directory: list it, or give a file");
	}

	static RefusedException readOnlyFile(PosixFileAttributes attributes) {
		return new RefusedException(WorkspaceErrorCode.PERMISSION_DENIED,
				"is read-only (" + PosixFilePermissions.toString(attributes.permissions())
						+ "): make it writable first if it is meant to be changed, as by chmod u+w");
	}

	static RefusedException readOnlyDirectory(String directory) {
		return new RefusedException(WorkspaceErrorCode.PERMISSION_DENIED,
				"cannot be changed, as no file can be created in its directory " + WorkspacePath.quote(directory)
						+ ": ask for write access to the directory or leave it");
	}

	static RefusedException specialFile() {
		return new RefusedException(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE,
				"is a FIFO, a socket or a device: only regular files are read and written");
	}

	static RefusedException leadsOut() {
		return new RefusedException(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED,
				"leads out of the workspace through a symbolic link: give a path whose links stay inside");
	}

	static RefusedException linkedRoot() {
		return new RefusedException(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED,
				"is in a root that was replaced by a symbolic link: put the directory back where it was");
	}

	static RefusedException tooManyLinks(int limit) {
		return new RefusedException(WorkspaceErrorCode.READ_FAILED, "goes through more than " + limit
				+ " symbolic links, which probably form a loop: give a path without them");
	}

	/**
	 * Translates an error of the file system during a change. Its message is omitted if
	 * it may name a path of the host.
	 * @param cause the error
	 * @return the refusal
	 */
	public static RefusedException notWritten(IOException cause) {
		String detail = FailureDetail.of(cause);
		if (cause instanceof StateDirectory.UnusableException) {
			logger.log(Level.WARNING, "A file was not changed, since the journal of changes cannot be written", cause);
			return new RefusedException(WorkspaceErrorCode.WRITE_FAILED,
					"was not changed, as the application cannot write its own state directory: its operator has to look at "
							+ "the log");
		}
		if (cause instanceof AccessDeniedException || detail.contains("Operation not permitted")) {
			return new RefusedException(WorkspaceErrorCode.PERMISSION_DENIED,
					"cannot be changed, as the operating system denied access: ask for the permission or leave it");
		}
		if (detail.contains("Read-only file system")) {
			return new RefusedException(WorkspaceErrorCode.READ_ONLY,
					"is on a file system that can only be read: write somewhere else");
		}
		if (cause instanceof RacedException) {
			return new RefusedException(WorkspaceErrorCode.WRITE_FAILED,
					"was replaced each time it was to be changed: try again when nothing else changes it");
		}
		if (cause instanceof NotDurableException) {
			return new RefusedException(WorkspaceErrorCode.WRITE_FAILED,
					"was changed, but the disk did not confirm it: read it again before anything else is changed");
		}
		if (cause instanceof StuckOpenException stuck) {
			return new RefusedException(WorkspaceErrorCode.WRITE_FAILED, String.valueOf(stuck.getMessage()));
		}
		if (cause instanceof AtomicMoveNotSupportedException) {
			return new RefusedException(WorkspaceErrorCode.WRITE_FAILED,
					"cannot be moved to its place, as another file system begins there: make it by a command");
		}
		if (FailureDetail.isBusy(cause)) {
			return new RefusedException(WorkspaceErrorCode.WRITE_FAILED,
					"is a mount point, which can be neither replaced nor removed: change its content by a command that "
							+ "writes in place, such as tee");
		}
		if (FailureDetail.isFullDisk(cause)) {
			return new RefusedException(WorkspaceErrorCode.WRITE_FAILED,
					"does not fit, as the disk is full: delete what is not needed and try again");
		}
		return new RefusedException(WorkspaceErrorCode.WRITE_FAILED,
				"could not be changed" + (detail.isEmpty() ? "" : " (" + detail + ")") + ": try again");
	}

	/**
	 * Translates an error of the file system during a read. Its message is omitted, as it
	 * may name a path of the host.
	 * @param cause the error
	 * @return the refusal
	 */
	public static RefusedException failed(IOException cause) {
		if (cause instanceof AccessDeniedException) {
			return new RefusedException(WorkspaceErrorCode.PERMISSION_DENIED,
					"cannot be read, as the operating system denied access: ask for the permission or leave it out");
		}
		if (cause instanceof RacedException) {
			return new RefusedException(WorkspaceErrorCode.READ_FAILED,
					"was replaced each time it was opened: try again when nothing else changes it");
		}
		if (cause instanceof StuckOpenException stuck) {
			return new RefusedException(WorkspaceErrorCode.READ_FAILED, String.valueOf(stuck.getMessage()));
		}
		String detail = (cause instanceof FileSystemException failure && failure.getReason() != null)
				? " (" + failure.getReason() + ")" : "";
		return new RefusedException(WorkspaceErrorCode.READ_FAILED, "could not be read" + detail + ": try again");
	}

}