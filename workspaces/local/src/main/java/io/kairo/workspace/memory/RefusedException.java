package io.kairo.workspace.memory;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.path.PathGate;

/**
 * Thrown if an operation is refused. The path is spelled by the gate when the result is
 * created.
 */
final class RefusedException extends Exception {

	private static final long serialVersionUID = 1L;

	/** The code of the failure. */
	private final WorkspaceErrorCode code;

	/** The path below the root. */
	private final String path;

	/** Problem and remedy, to follow the path in a sentence. */
	private final String reason;

	RefusedException(WorkspaceErrorCode code, String path, String reason) {
		super(reason, null, false, false);
		this.code = code;
		this.path = path;
		this.reason = reason;
	}

	<T> WorkspaceResult<T> toFailure(PathGate gate) {
		return WorkspaceResult.failure(this.code,
				WorkspacePath.quote(gate.display(new WorkspacePath(gate.root().root(), this.path))) + " "
						+ this.reason);
	}

	static RefusedException tooDeep(String path) {
		return new RefusedException(WorkspaceErrorCode.INVALID_PATH, path,
				"would get something in it that is deeper than 256 names or longer than 4096 bytes: give a place that "
						+ "is less deep");
	}

	static RefusedException notFound(String path) {
		return new RefusedException(WorkspaceErrorCode.FILE_NOT_FOUND, path,
				"does not exist: list the directory above it to see what is there");
	}

	static RefusedException notADirectory(String path) {
		return new RefusedException(WorkspaceErrorCode.NOT_A_DIRECTORY, path, "is not a directory: give a directory");
	}

	static RefusedException fileAbove(String path) {
		return new RefusedException(WorkspaceErrorCode.NOT_A_DIRECTORY, path,
				"cannot exist, as something above it is not a directory: list the directories above it");
	}

	static RefusedException directory(String path) {
		return new RefusedException(WorkspaceErrorCode.IS_A_DIRECTORY, path, "is a directory: list it, or give a file");
	}

	static RefusedException exists(String path) {
		return new RefusedException(WorkspaceErrorCode.FILE_EXISTS, path,
				"exists already: give another path, or allow it to be replaced");
	}

	static RefusedException stale(String path) {
		return new RefusedException(WorkspaceErrorCode.STALE_READ, path,
				"is not in the expected version: read it again before changing it");
	}

	static RefusedException anotherContent(String path) {
		return new RefusedException(WorkspaceErrorCode.STALE_READ, path,
				"has another content than the expected one, so that nothing was changed: read it again");
	}

}
