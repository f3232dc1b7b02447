package io.kairo.workspace.s3;

import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceSync;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the files of a workspace, and writes its changes back. Safe for use by several
 * threads.
 */
final class S3Sync implements WorkspaceSync {

	private final ReentrantLock lock = new ReentrantLock(true);

	private final Overlay overlay;

	private final boolean writable;

	private final boolean atOnce;

	private final Runnable conditions;

	/** Guarded by the lock. */
	private boolean closed;

	S3Sync(Overlay overlay, boolean writable, boolean atOnce, Runnable conditions) {
		this.overlay = overlay;
		this.writable = writable;
		this.atOnce = atOnce;
		this.conditions = conditions;
	}

	boolean isAtOnce() {
		return this.atOnce && this.writable;
	}

	@Override
	public WorkspaceResult<Integer> materialize() {
		this.lock.lock();
		try {
			return this.closed ? released() : WorkspaceResult.ok(this.overlay.fetchTree(""));
		}
		catch (WorkspaceException ex) {
			return S3Failures.result(ex);
		}
		catch (UncheckedIOException ex) {
			return S3Failures.result(this.overlay.unwritable(ex));
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public WorkspaceResult<SyncReport> writeBack() {
		return writeBack(List.of(""));
	}

	WorkspaceResult<SyncReport> writeBack(Collection<String> paths) {
		if (!this.writable) {
			return WorkspaceResult.failure(WorkspaceErrorCode.READ_ONLY,
					"This workspace may only be read: acquire it for writing");
		}
		this.lock.lock();
		try {
			return this.closed ? released() : new WriteBack(this.overlay).run(paths, this.conditions);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public @Nullable WorkspaceResult<SyncReport> commandEnded() {
		return isAtOnce() ? writeBack() : null;
	}

	/**
	 * Ends the use of the workspace, after the operation in progress.
	 */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
		}
		finally {
			this.lock.unlock();
		}
	}

	private static <T> WorkspaceResult<T> released() {
		return WorkspaceResult.failure(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED,
				"This workspace was released: acquire it again");
	}

}
