package io.kairo.workspace.s3;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;

import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an open workspace.
 *
 * @param directory its directory, with everything else
 * @param overlay its files
 * @param sync the connection to its objects
 */
record OpenWorkspace(Path directory, Overlay overlay, S3Sync sync) {

	private static final Logger logger = System.getLogger(OpenWorkspace.class.getName());

	/**
	 * Ends its use and keeps its directory.
	 */
	void close() throws IOException {
		this.sync.close();
		this.overlay.state().close();
	}

	/**
	 * Removes it with everything on this machine.
	 * @throws WorkspaceException if a part is left
	 */
	void remove() {
		try {
			close();
			new OwnedTree(this.directory).remove();
		}
		catch (IOException ex) {
			throw S3Failures.here(
					"The files of " + this.overlay.bucket().location()
							+ " were written back, but not removed: the next process that uses their directory does it",
					ex);
		}
	}

	/**
	 * Returns the problem that keeps it after its changes were written back, or null.
	 */
	@Nullable WorkspaceException problem(WorkspaceResult<SyncReport> written) {
		S3Location location = this.overlay.bucket().location();
		String kept = "The changes of " + location + " were not all written back, and the files are kept: ";
		if (written instanceof WorkspaceResult.Failure<SyncReport> failure) {
			return new WorkspaceException(failure.code(), kept + failure.message(), null);
		}
		SyncReport report = written.value();
		boolean conflict = !report.with(SyncReport.Outcome.CONFLICT).isEmpty();
		if (conflict || !report.with(SyncReport.Outcome.FAILED).isEmpty()) {
			return new WorkspaceException(conflict ? WorkspaceErrorCode.CONFLICT : WorkspaceErrorCode.WRITE_FAILED,
					kept + report.problems(), null);
		}
		if (!report.complete()) {
			logger.log(Level.WARNING, "Entries of {0} cannot be stored in a bucket and were left out: {1}", location,
					report.problems());
		}
		return null;
	}

}
