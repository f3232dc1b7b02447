package io.kairo.workspace.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import org.jspecify.annotations.Nullable;

/**
 * The files of a workspace. They are listed and fetched before use. Safe for use by
 * several threads.
 */
final class OverlayFiles extends ForwardingWorkspaceFiles {

	private final Overlay overlay;

	private final S3Sync sync;

	OverlayFiles(WorkspaceFiles delegate, Overlay overlay, S3Sync sync) {
		super(delegate);
		this.overlay = overlay;
		this.sync = sync;
	}

	@Override
	public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
		if (offset < 0 || length < 0 || isElsewhere(path)) {
			return delegate().read(path, offset, length);
		}
		return after(() -> prepareFile(path), () -> delegate().read(path, offset, length));
	}

	@Override
	public WorkspaceResult<FileInfo> info(WorkspacePath path) {
		return isElsewhere(path) ? delegate().info(path) : after(() -> prepareFile(path), () -> delegate().info(path));
	}

	@Override
	public WorkspaceResult<FileListing> list(WorkspacePath directory, int depth) {
		if (depth < 1 || isElsewhere(directory)) {
			return delegate().list(directory, depth);
		}
		return after(() -> prepareDirectory(directory, depth), () -> delegate().list(directory, depth))
			.map((listing) -> new FileListing(listing.directory(), listing.entries().stream().map(this::shown).toList(),
					listing.omitted()));
	}

	/**
	 * Shows the permissions that a placeholder will have.
	 */
	private FileInfo shown(FileInfo info) {
		return (info.mode() != null && info.mode().equals("---------") && !isElsewhere(info.path())
				&& this.overlay.isUnfetched(info.path().relative()))
						? new FileInfo(info.path(), info.type(), info.size(), info.modified(), "rw-r--r--",
								info.version())
						: info;
	}

	@Override
	public WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor) {
		Objects.requireNonNull(visitor, "visitor");
		return isElsewhere(directory) ? delegate().walk(directory, visitor)
				: after(() -> prepareDirectory(directory, Integer.MAX_VALUE),
						() -> delegate().walk(directory, new FetchingVisitor(visitor)));
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		return after(() -> change.leaves().forEach(this::prepare), () -> {
			WorkspaceResult<ChangeReport> result;
			this.overlay.changes().lock();
			try {
				result = delegate().apply(change);
			}
			finally {
				this.overlay.changes().unlock();
			}
			return (this.sync.isAtOnce() && result.isOk()) ? writtenBack(change, result) : result;
		});
	}

	private WorkspaceResult<ChangeReport> writtenBack(WorkspaceChange change, WorkspaceResult<ChangeReport> result) {
		Set<String> paths = new LinkedHashSet<>();
		change.paths().stream().filter((path) -> !isElsewhere(path)).forEach((path) -> paths.add(path.relative()));
		WorkspaceResult<SyncReport> written = this.sync.writeBack(WriteBack.scopes(paths));
		if (written instanceof WorkspaceResult.Failure<SyncReport> failure) {
			return WorkspaceResult.failure(failure.code(), kept(failure.message()));
		}
		if (!written.value().with(SyncReport.Outcome.CONFLICT).isEmpty()) {
			return WorkspaceResult.failure(WorkspaceErrorCode.CONFLICT, kept(written.value().problems()));
		}
		return written.value().with(SyncReport.Outcome.FAILED).isEmpty() ? result
				: WorkspaceResult.failure(WorkspaceErrorCode.REMOTE_UNREACHABLE, kept(written.value().problems()));
	}

	private static String kept(String problem) {
		return "The change was made in this workspace, where it is kept, but not in the bucket: " + problem;
	}

	@Override
	public @Nullable WorkspaceFiles including(Path directory) {
		WorkspaceFiles wider = delegate().including(directory);
		return (wider != null) ? new OverlayFiles(wider, this.overlay, this.sync) : null;
	}

	/**
	 * Lists and fetches the files that a change is based on.
	 */
	private void prepare(WorkspaceChange change) {
		if (change instanceof WorkspaceChange.Move || change instanceof WorkspaceChange.Copy) {
			prepareTree(change.paths().get(0));
			prepareFile(change.paths().get(1));
		}
		else if (change instanceof WorkspaceChange.Delete delete) {
			if (delete.expectedVersion() != null) {
				prepareFile(delete.path());
			}
			if (!isElsewhere(delete.path())) {
				this.overlay.listTree(delete.path().relative());
			}
		}
		else {
			change.paths().forEach(this::prepareFile);
		}
	}

	private void prepareTree(WorkspacePath path) {
		if (!isElsewhere(path)) {
			this.overlay.fetchTree(path.relative());
			prepareFile(path);
		}
	}

	private void prepareFile(WorkspacePath path) {
		if (!isElsewhere(path)) {
			this.overlay.list(parent(path));
			this.overlay.fetch(path.relative());
			this.overlay.fetchBehindLinks(path.relative());
		}
	}

	private void prepareDirectory(WorkspacePath directory, int depth) {
		this.overlay.list(directory.relative(), depth);
		this.overlay.fetchBehindLinks(directory.relative());
	}

	private static String parent(WorkspacePath path) {
		return KeySyntax.parent(path.relative());
	}

	/**
	 * Returns whether a path is not below the root of the workspace, such as one in the
	 * trash of the application.
	 */
	private boolean isElsewhere(WorkspacePath path) {
		return !path.root().equals(root().root());
	}

	private <T> WorkspaceResult<T> after(Runnable preparation, Supplier<WorkspaceResult<T>> operation) {
		try {
			preparation.run();
		}
		catch (WorkspaceException ex) {
			return S3Failures.result(ex);
		}
		catch (UncheckedIOException ex) {
			return S3Failures.result(this.overlay.unwritable(ex));
		}
		return operation.get();
	}

	/**
	 * Fetches the files that a visitor reads.
	 */
	private final class FetchingVisitor implements WorkspaceVisitor {

		private final WorkspaceVisitor visitor;

		FetchingVisitor(WorkspaceVisitor visitor) {
			this.visitor = visitor;
		}

		@Override
		public Next directory(WorkspacePath directory) {
			return this.visitor.directory(directory);
		}

		@Override
		public Next directory(Entry directory) throws IOException {
			return this.visitor.directory(directory);
		}

		@Override
		public void unreadable(WorkspacePath path) {
			this.visitor.unreadable(path);
		}

		@Override
		public void other(Entry other) throws IOException {
			this.visitor.other(other);
		}

		@Override
		public void names(WorkspacePath directory, Predicate<String> mayHave) {
			this.visitor.names(directory, mayHave);
		}

		@Override
		public Next file(Entry file) throws IOException {
			return this.visitor
				.file(OverlayFiles.this.overlay.isUnfetched(file.path().relative()) ? new Unfetched(file) : file);
		}

	}

	/**
	 * A file of a walk that is fetched by the first read.
	 */
	private final class Unfetched implements WorkspaceVisitor.Entry {

		private final WorkspaceVisitor.Entry entry;

		private boolean fetched;

		Unfetched(WorkspaceVisitor.Entry entry) {
			this.entry = entry;
		}

		@Override
		public WorkspacePath path() {
			return this.entry.path();
		}

		@Override
		public long size() {
			return this.entry.size();
		}

		@Override
		public Instant modified() {
			return this.entry.modified();
		}

		@Override
		public int read(byte[] buffer, long offset) throws IOException {
			try {
				if (!this.fetched) {
					OverlayFiles.this.overlay.fetch(path().relative());
					this.fetched = true;
				}
			}
			catch (WorkspaceException | UncheckedIOException ex) {
				throw new IOException(ex.getMessage(), ex);
			}
			WorkspaceResult<FileContent> content = delegate().read(path(), offset, buffer.length);
			if (content instanceof WorkspaceResult.Failure<FileContent> failure) {
				throw new IOException(failure.message());
			}
			byte[] bytes = content.value().bytes();
			System.arraycopy(bytes, 0, buffer, 0, bytes.length);
			return (bytes.length == 0 && (buffer.length > 0 || offset >= content.value().size())) ? -1 : bytes.length;
		}

	}

}
