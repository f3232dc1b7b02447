package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.kairo.api.workspace.SyncReport.Change;
import io.kairo.api.workspace.SyncReport.Outcome;

/**
 * The differences between the files of a workspace and the versions that they are based
 * on. For use by one thread.
 */
final class LocalChanges {

	private final Bucket bucket;

	private final TreeState state;

	private final LocalTree tree;

	private final Map<String, Change> problems;

	private final List<PendingWrite> puts = new ArrayList<>();

	private final List<PendingWrite> deletes = new ArrayList<>();

	/**
	 * Creates the differences, none to begin with.
	 * @param overlay the files
	 * @param problems receives the changes that cannot be written, by their paths
	 */
	LocalChanges(Overlay overlay, Map<String, Change> problems) {
		this.bucket = overlay.bucket();
		this.state = overlay.state();
		this.tree = overlay.tree();
		this.problems = problems;
	}

	/**
	 * Returns the files to write.
	 */
	List<PendingWrite> puts() {
		return this.puts;
	}

	/**
	 * Returns the files to delete.
	 */
	List<PendingWrite> deletes() {
		return this.deletes;
	}

	/**
	 * Finds the changes of files and directories.
	 * @param paths the paths, with an empty one for everything
	 * @throws IOException if the files cannot be read
	 */
	void find(Collection<String> paths) throws IOException {
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
					report(file.path(), Outcome.CONFLICT, conflict.message());
				}
				else if (isChanged(file)) {
					bytes += file.size();
					this.puts.add(new PendingWrite(file.path(), this.state.version(file.path()),
							UUID.randomUUID().toString()));
				}
			}
			for (Map.Entry<String, BaseVersion> entry : this.state.versions(start).entrySet()) {
				TreeState.Conflict conflict = conflicts.get(entry.getKey());
				if (!done.add(entry.getKey())) {
					continue;
				}
				if (conflict != null) {
					report(entry.getKey(), Outcome.CONFLICT, conflict.message());
				}
				else if (entry.getValue().fingerprint() == null && !entry.getValue().fetched()) {
					this.state.forget(entry.getKey()); // its placeholder was never
														// created
				}
				else {
					this.deletes.add(new PendingWrite(entry.getKey(), entry.getValue(), ""));
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
		if (base != null && base.sha256() != null && isSameSize(base, file) && !isModeChanged(base, file)
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

	/**
	 * Returns whether the sizes are equal, or the size of the version is unknown.
	 */
	private static boolean isSameSize(BaseVersion base, LocalFile file) {
		return base.fingerprint() == null || base.size() == file.size();
	}

	private static boolean isModeChanged(BaseVersion base, LocalFile file) {
		return base.fingerprint() != null && base.fingerprint().endsWith("x") != file.executable();
	}

	private void report(String path, Outcome outcome, String message) {
		this.problems.put(path, new Change(path, outcome, message));
	}

}
