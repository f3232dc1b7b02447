package io.kairo.workspace.routing;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Files that record each operation as a use of their workspace.
 */
final class LeaseTrackingFiles extends ForwardingWorkspaceFiles {

	private final LeaseUse use;

	LeaseTrackingFiles(WorkspaceFiles delegate, LeaseUse use) {
		super(delegate);
		this.use = use;
	}

	@Override
	public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
		return using(() -> delegate().read(path, offset, length));
	}

	@Override
	public WorkspaceResult<FileInfo> info(WorkspacePath path) {
		return using(() -> delegate().info(path));
	}

	@Override
	public WorkspaceResult<FileListing> list(WorkspacePath directory, int depth) {
		return using(() -> delegate().list(directory, depth));
	}

	@Override
	public WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor) {
		return using(() -> delegate().walk(directory, visitor));
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		return using(() -> delegate().apply(change));
	}

	@Override
	public @Nullable WorkspaceFiles relocated(Map<Path, Path> directories) {
		WorkspaceFiles relocated = delegate().relocated(directories);
		return (relocated != null) ? new LeaseTrackingFiles(relocated, this.use) : null;
	}

	@Override
	public @Nullable WorkspaceFiles including(Path directory) {
		WorkspaceFiles wider = delegate().including(directory);
		return (wider != null) ? new LeaseTrackingFiles(wider, this.use) : null;
	}

	private <T> T using(Supplier<T> operation) {
		this.use.enter();
		try {
			return operation.get();
		}
		finally {
			this.use.leave();
		}
	}

}
