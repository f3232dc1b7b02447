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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.SyncReport.Change;
import io.kairo.api.workspace.SyncReport.Outcome;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePath;
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
			List<Write> puts = new ArrayList<>();
			List<Write> deletes = new ArrayList<>();
			find(paths, puts, deletes);
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
			return WorkspaceResult.failure(ex.code(), String.valueOf(ex.getMessage()));
		}
		catch (IOException ex) {
			return failure(ex);
		}
		catch (UncheckedIOException ex) {
			return failure(Objects.requireNonNull(ex.getCause()));
		}
	}

	private WorkspaceResult<SyncReport> failure(IOException ex) {
		WorkspaceException failure = S3Failures
			.here("The changes could not be written back to " + this.bucket.location(), ex);
		return WorkspaceResult.failure(failure.code(), String.valueOf(failure.getMessage()));
	}

	private static boolean isFailed(Change change) {
		return change.outcome() == Outcome.FAILED;
	}

	/**
	 * Bases files on the remote versions whose copies were deleted, by which the agent
	 * tells that it has considered them.
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

	private void find(Collection<String> paths, List<Write> puts, List<Write> deletes) throws IOException {
		Map<String, TreeState.Conflict> conflicts = this.state.conflicts();
		Set<String> copies = new HashSet<>(this.state.copies());
		Set<String> done = new HashSet<>();
		long bytes = 0;
		for (String start : paths) {
			for (LocalFile file : this.tree.scan(start)) {
				if (copies.contains(file.path()) || !done.add(file.path())) {
					continue;
				}
				TreeState.Conflict conflict = conflicts.get(file.path());
				if (conflict != null) {
					report(file.path(), Outcome.CONFLICT, unresolved(conflict));
				}
				else if (isChanged(file)) {
					bytes += file.size();
					puts.add(new Write(file.path(), this.state.version(file.path()), UUID.randomUUID().toString()));
				}
			}
			for (Map.Entry<String, BaseVersion> entry : this.state.versions(start).entrySet()) {
				TreeState.Conflict conflict = conflicts.get(entry.getKey());
				if (!done.add(entry.getKey())) {
					continue;
				}
				if (conflict != null) {
					report(entry.getKey(), Outcome.CONFLICT, unresolved(conflict));
				}
				else if (entry.getValue().fingerprint() == null && !entry.getValue().fetched()) {
					this.state.forget(entry.getKey()); // its placeholder was never
														// created
				}
				else {
					deletes.add(new Write(entry.getKey(), entry.getValue(), ""));
				}
			}
		}
		if (bytes > this.bucket.limits().maxBytes()) {
			throw S3Failures.tooLarge(
					"The changed files have " + bytes + " bytes, more than the " + this.bucket.limits().maxBytes()
							+ " that are written back at once",
					"delete what is not needed, or let the operator allow more");
		}
	}

	/**
	 * Returns whether a file must be written. If it cannot, that is reported.
	 */
	private boolean isChanged(LocalFile file) throws IOException {
		BaseVersion base = this.state.version(file.path());
		if (file.type() != LocalFile.Type.FILE) {
			report(file.path(), Outcome.UNSUPPORTED,
					((file.type() == LocalFile.Type.LINK) ? "is a symbolic link" : "is not a regular file")
							+ ", which a bucket cannot store: use a file instead");
			return false;
		}
		if (base != null
				&& (base.fingerprint() == null ? !base.fetched() : base.fingerprint().equals(file.fingerprint()))) {
			return false;
		}
		if (base != null && base.sha256() != null && base.size() == file.size() && !isModeChanged(base, file)
				&& this.tree.hash(file.path()).equals(base.sha256())) {
			this.state.version(file.path(), new BaseVersion(base.etag(), base.size(), base.modified(), true,
					base.sha256(), file.fingerprint()));
			return false;
		}
		String problem = KeySyntax.problem(file.path());
		if (problem == null && this.bucket.location()
			.key(file.path())
			.getBytes(StandardCharsets.UTF_8).length > S3Location.MAX_KEY) {
			problem = "makes a key longer than " + S3Location.MAX_KEY + " bytes";
		}
		if (problem != null) {
			report(file.path(), Outcome.UNSUPPORTED, problem + ": rename it to have it written back");
			return false;
		}
		if (file.size() > this.bucket.limits().maxObjectBytes()) {
			report(file.path(), Outcome.FAILED, "is larger than the " + this.bucket.limits().maxObjectBytes()
					+ " bytes that are written for one file: make it smaller, or let the operator allow more");
			return false;
		}
		return true;
	}

	private static boolean isModeChanged(BaseVersion base, LocalFile file) {
		return base.fingerprint() != null && base.fingerprint().endsWith("x") != file.executable();
	}

	private void begin(List<Write> puts) throws IOException {
		if (!this.state.isWriting()) {
			this.state.begin();
		}
		for (Write put : puts) {
			this.state.attempt(put.path(), put.id());
		}
		this.state.force();
	}

	private void put(Write write) {
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
			// deleted in the meantime, which the next time is written back
			this.state.settle(write.path());
		}
		catch (IOException ex) {
			report(write.path(), Outcome.FAILED, "could not be read, or keeps changing: "
					+ S3Failures.here("The file could not be copied", ex).getMessage());
		}
		finally {
			delete(staged);
		}
	}

	private void put(Write write, LocalTree.Copy copy, Path staged) throws IOException {
		String base = (write.base() != null) ? write.base().etag() : null;
		try {
			written(write, copy, this.bucket.put(write.path(), staged, base, write.id(), copy.file().executable()));
			return;
		}
		catch (ConflictException ex) {
			// The version may be that of an earlier attempt, or a repetition of this one.
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
	 * Returns whether a version is that of an earlier write whose outcome was not known.
	 */
	private boolean isOwn(String path, RemoteObject version) {
		String writer = version.metadata().get(Bucket.WRITE_ID);
		return writer != null && this.state.attempts(path).contains(writer);
	}

	private void written(Write write, LocalTree.Copy copy, String etag) {
		this.state.version(write.path(), new BaseVersion(etag, copy.file().size(), Instant.now(), true, copy.sha256(),
				copy.file().fingerprint()));
		this.state.settle(write.path());
		report(write.path(), Outcome.WRITTEN, "");
	}

	private void delete(Write write) {
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
			delete(staged);
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
			report(path, Outcome.CONFLICT, unresolved(conflict));
		}
		finally {
			delete(staged);
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

	private static String unresolved(TreeState.Conflict conflict) {
		String copy = WorkspacePath.quote(conflict.copy());
		if (conflict.etag() == null) {
			return "was deleted in the bucket, and changed here: decide, delete " + copy + ", and write back again";
		}
		return "was changed in the bucket as well"
				+ ((conflict.sha256() != null) ? ": the version of the bucket is in " + copy
						: ", to a version that is too large to be fetched")
				+ ": merge what is needed, delete " + copy + ", and write back again";
	}

	private void report(String path, Outcome outcome, String message) {
		this.changes.put(path, new Change(path, outcome, message));
	}

	private static void delete(Path staged) {
		try {
			Files.deleteIfExists(staged);
		}
		catch (IOException ex) {
			// It is removed with the workspace.
		}
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

	/**
	 * A write.
	 *
	 * @param path the path
	 * @param base the version it is based on, null for a new file
	 * @param id the identity of a write, empty for a deletion
	 */
	private record Write(String path, @Nullable BaseVersion base, String id) {

	}

}
