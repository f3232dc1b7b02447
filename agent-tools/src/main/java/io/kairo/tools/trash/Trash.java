package io.kairo.tools.trash;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceUsage;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import org.jspecify.annotations.Nullable;

/**
 * The trash of one workspace. Safe for use by several threads.
 */
public final class Trash {

	/** Name of the deleted file or directory in the directory of its entry. */
	private static final String CONTENT = "content";

	/** Name of the file with its path in the workspace. */
	private static final String PATH = "path";

	private final TrashStore store;

	private final String tenantId;

	private final Path home;

	private final WorkspaceFiles files;

	private final WorkspaceFiles wider;

	Trash(TrashStore store, String tenantId, Path home, WorkspaceFiles files, WorkspaceFiles wider) {
		this.store = store;
		this.tenantId = tenantId;
		this.home = home;
		this.files = files;
		this.wider = wider;
	}

	/**
	 * Begins a change that keeps the files it deletes.
	 * @param over returns whether to give up counting the deleted files
	 * @return the change; for use by one thread, and to be applied once
	 */
	public TrashChange begin(BooleanSupplier over) {
		return new TrashChange(this, over);
	}

	/**
	 * Returns the entries.
	 * @return the entries with their paths in the workspace, the newest first
	 */
	public List<Kept> entries() {
		List<Kept> entries = new ArrayList<>();
		for (Path directory : TrashStore.entries(content())) {
			TrashEntry entry = TrashEntry.in(directory);
			WorkspacePath path = path(directory);
			if (entry != null && path != null) {
				entries.add(new Kept(entry, path));
			}
		}
		return entries;
	}

	/**
	 * Moves an entry back to its path, creating the directories above it.
	 * @param kept the entry
	 * @return its path, or a failure such as {@code file_exists}. After a failure, the
	 * entry stays in the trash
	 */
	public WorkspaceResult<ChangeReport> restore(Kept kept) {
		ReentrantLock lock = this.store.lock(this.tenantId);
		lock.lock();
		try {
			TrashEntry entry = find(kept.entry().id());
			if (entry == null) {
				return WorkspaceResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND,
						"The trash no longer has an entry " + kept.entry().id());
			}
			WorkspaceResult<ChangeReport> moved = this.wider
				.apply(new WorkspaceChange.Move(within(entry), kept.path()));
			if (moved.isOk()) {
				TrashStore.remove(content().resolve(entry.directoryName()));
			}
			return moved;
		}
		catch (IllegalArgumentException ex) {
			return WorkspaceResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND,
					"'" + kept.path().relative() + "' was in a directory that the workspace no longer has");
		}
		finally {
			lock.unlock();
		}
	}

	/**
	 * Finds an entry. It may have grown since it was listed.
	 */
	private @Nullable TrashEntry find(String id) {
		for (Path directory : TrashStore.entries(content())) {
			TrashEntry entry = TrashEntry.in(directory);
			if (entry != null && entry.id().equals(id)) {
				return entry;
			}
		}
		return null;
	}

	/**
	 * Applies changes, and keeps the files that they move into the trash.
	 * @param added the new entries
	 */
	WorkspaceResult<ChangeReport> apply(WorkspaceChange change, List<TrashEntry> added, TrashChange result) {
		ReentrantLock lock = this.store.lock(this.tenantId);
		lock.lock();
		try {
			WorkspaceResult<ChangeReport> applied = this.wider.apply(change);
			if (applied instanceof WorkspaceResult.Failure<ChangeReport> failure
					&& failure.code() == WorkspaceErrorCode.QUOTA_EXCEEDED && !added.isEmpty()) {
				// the trash has to fit into the quota too
				long bytes = added.stream().mapToLong(TrashEntry::bytes).sum();
				long files = added.stream().mapToLong(TrashEntry::files).sum();
				result.dropped(trim(added, bytes, files));
				applied = this.wider.apply(change);
			}
			if (applied.isOk()) {
				result.dropped(trim(added, 0, 0));
			}
			else {
				discard(added);
			}
			return applied;
		}
		finally {
			lock.unlock();
		}
	}

	void discard(List<TrashEntry> added) {
		added.forEach((entry) -> TrashStore.remove(content().resolve(entry.directoryName())));
	}

	/**
	 * Drops the oldest entries beside new ones.
	 * @param bytes number of bytes that are about to leave the workspace
	 * @param files number of files that are about to leave the workspace
	 */
	private int trim(List<TrashEntry> added, long bytes, long files) {
		WorkspaceUsage usage = this.files.usage();
		// the usage may be a count from before the last command
		TrashRoom room = TrashRoom.of(this.store.options(),
				(usage != null) ? new WorkspaceUsage(Math.max(0, usage.bytes() - bytes), usage.maxBytes(),
						Math.max(0, usage.files() - files), usage.maxFiles()) : null);
		List<Path> kept = added.stream().map((entry) -> content().resolve(entry.directoryName())).toList();
		return this.store.trim(this.tenantId, content(), kept, room);
	}

	/**
	 * Returns the room in an empty trash.
	 */
	TrashRoom room() {
		WorkspaceUsage usage = this.files.usage();
		TrashRoom room = TrashRoom.of(this.store.options(),
				(usage != null) ? new WorkspaceUsage(0, usage.maxBytes(), 0, usage.maxFiles()) : null);
		return (this.wider instanceof CopyingFiles)
				? new TrashRoom(Math.min(room.bytes(), CopyingFiles.MAX_BYTES), room.files(), room.count()) : room;
	}

	/**
	 * Creates the directory of a new entry.
	 */
	TrashEntry create(WorkspacePath path, TrashContent content) throws IOException {
		TrashEntry entry = TrashEntry.create(this.store.now(), content);
		OwnedTree directory = new OwnedTree(content().resolve(entry.directoryName()));
		directory.create();
		try {
			// the part below the root has no control characters
			Files.writeString(directory.directory().resolve(PATH), path.relative() + "\n" + path.root());
			return entry;
		}
		catch (IOException ex) {
			TrashStore.remove(directory.directory());
			throw ex;
		}
	}

	private @Nullable WorkspacePath path(Path directory) {
		try {
			String text = Files.readString(directory.resolve(PATH), StandardCharsets.UTF_8);
			int end = text.indexOf('\n');
			return (end < 0) ? null : new WorkspacePath(Path.of(text.substring(end + 1)), text.substring(0, end));
		}
		catch (IOException | IllegalArgumentException ex) {
			return null; // it was removed meanwhile, or never completed
		}
	}

	/**
	 * Returns the path of the content of an entry.
	 */
	WorkspacePath within(TrashEntry entry) {
		return within(this.home, entry);
	}

	static WorkspacePath within(Path home, TrashEntry entry) {
		return new WorkspacePath(home, home.getFileName() + "/" + entry.directoryName() + "/" + CONTENT);
	}

	WorkspaceFiles files() {
		return this.files;
	}

	/**
	 * Returns the directory of the entries. It has the name of the trash, as the store
	 * requires.
	 */
	private Path content() {
		return this.home.resolve(this.home.getFileName());
	}

	/**
	 * An entry and its path in the workspace. Immutable.
	 *
	 * @param entry the entry
	 * @param path its path before the deletion
	 */
	public record Kept(TrashEntry entry, WorkspacePath path) {

	}

}
