package io.kairo.workspace.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.SyncReport.Change;
import io.kairo.api.workspace.SyncReport.Outcome;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.host.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * Writes the changes of a workspace back to its objects. Every request is conditional on
 * the version that the file is based on. Before the first request, the identities of all
 * writes are made durable, so that a write whose answer was lost is recognised later. Not
 * for use by several threads at once.
 */
final class WriteBack {

	private final Overlay overlay;

	private final Bucket bucket;

	private final TreeState state;

	private final LocalTree tree;

	private final Map<String, Change> changes = new ConcurrentHashMap<>();

	/** The hashes of contents that could not be written. */
	private final Set<String> unwritten = ConcurrentHashMap.newKeySet();

	WriteBack(Overlay overlay) {
		this.overlay = overlay;
		this.bucket = overlay.bucket();
		this.state = overlay.state();
		this.tree = overlay.tree();
	}

	/**
	 * Writes the changes of files and directories back.
	 * @param paths the paths, with an empty one for everything
	 * @param conditions checks that the object store enforces conditions, called before
	 * the first write
	 * @return the outcomes, or a failure if the changes could not be determined
	 */
	WorkspaceResult<SyncReport> run(Collection<String> paths, Runnable conditions) {
		try {
			settleConflicts();
			LocalChanges found = new LocalChanges(this.overlay, this.changes);
			found.find(paths);
			List<PendingWrite> puts = found.puts();
			List<PendingWrite> deletes = found.deletes();
			if (!puts.isEmpty() || !deletes.isEmpty()) {
				conditions.run();
				begin(puts);
				int threads = this.bucket.limits().concurrency();
				Parallel.forEach(puts, threads, this::put);
				// a file that was renamed is written before its old name is deleted
				Parallel.forEach(deletes, threads, this::delete);
			}
			if (paths.contains("") && this.changes.values().stream().noneMatch(WriteBack::isFailed)
					&& this.state.isWriting()) {
				this.state.end();
			}
			return WorkspaceResult.ok(new SyncReport(new ArrayList<>(new TreeMap<>(this.changes).values())));
		}
		catch (WorkspaceException ex) {
			return S3Failures.result(ex);
		}
		catch (IOException | UncheckedIOException ex) {
			return S3Failures
				.result(S3Failures.here("The changes could not be written back to " + this.bucket.location(), ex));
		}
	}

	private static boolean isFailed(Change change) {
		return change.outcome() == Outcome.FAILED;
	}

	/**
	 * Bases files on the remote versions whose copies were deleted. By deleting them the
	 * agent tells that it has considered them.
	 */
	private void settleConflicts() throws IOException {
		for (Map.Entry<String, TreeState.Conflict> entry : this.state.conflicts().entrySet()) {
			TreeState.Conflict conflict = entry.getValue();
			if (this.tree.find(conflict.copy()) == null) {
				if (conflict.etag() == null) {
					this.state.forget(entry.getKey());
				}
				else {
					this.state.version(entry.getKey(),
							new BaseVersion(conflict.etag(), 0, Instant.EPOCH, true, conflict.sha256(), null));
				}
				this.state.resolve(entry.getKey());
			}
		}
	}

	private void begin(List<PendingWrite> puts) throws IOException {
		if (!this.state.isWriting()) {
			this.state.begin();
		}
		for (PendingWrite put : puts) {
			this.state.attempt(put.path(), put.id());
		}
		this.state.force();
	}

	private void put(PendingWrite write) {
		Path staged = this.overlay.newStaged();
		try {
			LocalTree.Copy copy = this.tree.copy(write.path(), staged, this.bucket.limits().maxObjectBytes());
			try {
				put(write, copy, staged);
			}
			catch (WorkspaceException ex) {
				this.unwritten.add(copy.sha256());
				report(write.path(), Outcome.FAILED, "was not written, or that is not known: " + ex.getMessage());
			}
		}
		catch (NoSuchFileException ex) {
			// deleted in the meantime; the next write-back writes the deletion
			this.state.settle(write.path());
		}
		catch (IOException ex) {
			report(write.path(), Outcome.FAILED, "could not be read, or keeps changing: "
					+ S3Failures.here("The file could not be copied", ex).getMessage());
		}
		finally {
			Overlay.deleteStaged(staged);
		}
	}

	private void put(PendingWrite write, LocalTree.Copy copy, Path staged) throws IOException {
		String base = (write.base() != null) ? write.base().etag() : null;
		try {
			written(write, copy, this.bucket.put(write.path(), staged, base, write.id(), copy.file().executable()));
			return;
		}
		catch (ConflictException ex) {
			// The version may stem from an earlier attempt, or a repetition of this one.
		}
		RemoteObject now = this.bucket.head(write.path());
		String writer = (now != null) ? now.metadata().get(Bucket.WRITE_ID) : null;
		if (now != null && write.id().equals(writer)) {
			written(write, copy, now.etag());
		}
		else if (now != null && isOwn(write.path(), now)) {
			try {
				written(write, copy,
						this.bucket.put(write.path(), staged, now.etag(), write.id(), copy.file().executable()));
			}
			catch (ConflictException ex) {
				conflict(write.path(), copy);
			}
		}
		else {
			conflict(write.path(), copy);
		}
	}

	/**
	 * Returns whether a version stems from an earlier write with unknown outcome.
	 */
	private boolean isOwn(String path, RemoteObject version) {
		String writer = version.metadata().get(Bucket.WRITE_ID);
		return writer != null && this.state.attempts(path).contains(writer);
	}

	private void written(PendingWrite write, LocalTree.Copy copy, String etag) {
		this.state.version(write.path(), new BaseVersion(etag, copy.file().size(), Instant.now(), true, copy.sha256(),
				copy.file().fingerprint()));
		this.state.settle(write.path());
		report(write.path(), Outcome.WRITTEN, "");
	}

	private void delete(PendingWrite write) {
		BaseVersion base = Objects.requireNonNull(write.base());
		if (base.sha256() != null && this.unwritten.contains(base.sha256())) {
			report(write.path(), Outcome.FAILED,
					"was not deleted, as its content could not be written under another name");
			return;
		}
		try {
			RemoteObject now = this.bucket.head(write.path());
			if (now != null && !now.etag().equals(base.etag()) && isOwn(write.path(), now)) {
				deleteVersion(write.path(), now.etag());
			}
			else if (now != null && !now.etag().equals(base.etag())) {
				conflict(write.path(), null);
			}
			else if (now != null) {
				deleteVersion(write.path(), now.etag());
			}
			else {
				deleted(write.path());
			}
		}
		catch (WorkspaceException ex) {
			report(write.path(), Outcome.FAILED, "was not deleted, or that is not known: " + ex.getMessage());
		}
		catch (IOException ex) {
			report(write.path(), Outcome.FAILED,
					"was not deleted: " + S3Failures.here("The remote version could not be saved", ex).getMessage());
		}
	}

	private void deleteVersion(String path, String etag) throws IOException {
		try {
			this.bucket.delete(path, etag);
			deleted(path);
		}
		catch (ConflictException ex) {
			if (this.bucket.head(path) == null) {
				deleted(path);
			}
			else {
				conflict(path, null);
			}
		}
	}

	private void deleted(String path) {
		this.state.forget(path);
		this.state.settle(path);
		report(path, Outcome.DELETED, "");
	}

	/**
	 * Keeps the remote version beside the local one.
	 * @param local the local version, null if the file was deleted
	 */
	private void conflict(String path, LocalTree.@Nullable Copy local) throws IOException {
		Path staged = this.overlay.newStaged();
		Bucket.Fetched remote = null;
		String etag = null;
		try {
			remote = this.bucket.get(path, staged);
			etag = (remote != null) ? remote.object().etag() : null;
		}
		catch (WorkspaceException ex) {
			if (ex.code() != WorkspaceErrorCode.TOO_LARGE) {
				throw ex;
			}
			RemoteObject large = this.bucket.head(path);
			etag = (large != null) ? large.etag() : null;
			Overlay.deleteStaged(staged);
		}
		try {
			if (remote != null && local != null && remote.sha256().equals(local.sha256())) {
				this.state.version(path, new BaseVersion(remote.object().etag(), remote.object().size(),
						remote.object().modified(), true, remote.sha256(), local.file().fingerprint()));
				this.state.settle(path);
				report(path, Outcome.WRITTEN, "");
				return;
			}
			if (local != null) {
				this.unwritten.add(local.sha256());
			}
			String copy = keep(path, remote, etag, staged);
			TreeState.Conflict conflict = new TreeState.Conflict(copy, etag, (remote != null) ? remote.sha256() : null);
			this.state.conflict(path, conflict);
			this.state.settle(path);
			report(path, Outcome.CONFLICT, conflict.message());
		}
		finally {
			Overlay.deleteStaged(staged);
		}
	}

	private String keep(String path, Bucket.@Nullable Fetched remote, @Nullable String etag, Path staged)
			throws IOException {
		String suffix = (etag == null) ? ".deleted-remotely" : ".remote-" + Sha256.hex(etag, 4);
		String name = path.substring(path.lastIndexOf('/') + 1);
		while ((name + suffix).getBytes(StandardCharsets.UTF_8).length > 250) {
			name = name.substring(0, name.offsetByCodePoints(name.length(), -1));
		}
		String copy = KeySyntax.child(KeySyntax.parent(path), name + suffix);
		for (int i = 2; this.tree.find(copy) != null; i++) {
			copy = KeySyntax.child(KeySyntax.parent(path), name + suffix + "-" + i);
		}
		if (remote == null) {
			Files.deleteIfExists(staged);
			Files.createFile(staged);
		}
		this.overlay.changes().lock();
		try {
			this.tree.install(staged, copy);
		}
		finally {
			this.overlay.changes().unlock();
		}
		return copy;
	}

	private void report(String path, Outcome outcome, String message) {
		this.changes.put(path, new Change(path, outcome, message));
	}

	/**
	 * Returns the paths that a change of a file or directory may have affected.
	 */
	static Set<String> scopes(Collection<String> paths) {
		Set<String> scopes = new TreeSet<>();
		for (String path : paths) {
			if (scopes.stream().noneMatch((above) -> path.startsWith(above + "/"))) {
				scopes.add(path);
			}
		}
		return scopes;
	}

}
