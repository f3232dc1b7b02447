package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceCheckpoints.Obstacle;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import io.kairo.host.TreeDeletion;
import org.jspecify.annotations.Nullable;

/**
 * Changes entries to the states that a step has, as one batch: their contents are copied
 * beside the record first, and moved from there. The step is written before and becomes
 * valid afterwards, see {@link InterruptedRewinds}. For use by one thread, alone in the
 * workspace's record.
 */
final class PendingRewind {

	private static final Logger logger = System.getLogger(PendingRewind.class.getName());

	/** Always the same, so that a batch that was interrupted is found and undone. */
	static final String STAGE = "stage";

	/** The permissions of a file of a store without any. */
	private static final String USUAL = "rw-r--r--";

	private final SessionCheckpoints session;

	private final WorkspaceFiles files;

	private final TrackedWorkspace tracked;

	private final Path home;

	private final Permissions permissions = new Permissions();

	private final Set<WorkspacePath> single;

	/** The entries with their changes, in the order of their paths. */
	private final NavigableMap<WorkspacePath, Delta> deltas = new TreeMap<>();

	/** The staged directories, by the path that they will have. */
	private final Map<WorkspacePath, Path> staged = new HashMap<>();

	private final List<WorkspaceChange> changes = new ArrayList<>();

	/** The entries that cannot be changed. */
	private final Map<WorkspacePath, Obstacle> refused = new HashMap<>();

	/**
	 * Creates the value.
	 * @param single directories that are created before what is in them
	 */
	PendingRewind(SessionCheckpoints session, WorkspaceFiles files, Set<WorkspacePath> single) {
		this.single = single;
		this.session = session;
		this.files = files;
		this.tracked = session.tracked();
		this.home = this.tracked.home().resolve(STAGE);
	}

	Map<WorkspacePath, Obstacle> refused() {
		return this.refused;
	}

	WorkspaceResult<ChangeReport> perform(Step step) throws IOException {
		step.deltas().forEach((delta) -> this.deltas.put(delta.path(), delta));
		try {
			removeStage();
			Path stage = OwnerOnly.createDirectories(this.home.resolve(STAGE));
			WorkspaceFiles wider = this.files.including(this.home);
			delete();
			create(stage, wider != null);
			if (!this.refused.isEmpty()) {
				return WorkspaceResult.failure(WorkspaceErrorCode.READ_FAILED, "A kept content is damaged");
			}
			Path pending = this.session.log().prepare(step);
			this.permissions.open(step.deltas());
			WorkspaceFiles store = (wider != null) ? wider : this.files;
			WorkspaceResult<ChangeReport> applied = store.apply(new WorkspaceChange.Batch(this.changes));
			if (applied instanceof WorkspaceResult.Failure<ChangeReport> failure) {
				Files.deleteIfExists(pending);
				this.permissions.close(step.deltas(), (path, opened) -> true);
				refuse(failure.message(), store);
				return applied;
			}
			this.permissions.set(step.deltas());
			this.permissions.refused().forEach((path) -> this.refused.put(path, Obstacle.REFUSED));
			commit(pending);
			return applied;
		}
		finally {
			removeStage();
		}
	}

	/**
	 * Makes the step valid. Otherwise it is completed later.
	 */
	private void commit(Path pending) {
		try {
			this.session.appended(StepLog.commit(pending));
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "The record of undone steps is incomplete; it is completed later", ex);
		}
	}

	private void removeStage() {
		removeStage(this.home);
	}

	static void removeStage(Path home) {
		try {
			TreeDeletion.delete(home);
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Copies of files could not be removed; it is tried again later", ex);
		}
	}

	/**
	 * Finds the entry that the store refused to change, by its name in the message.
	 */
	private void refuse(String message, WorkspaceFiles store) {
		for (WorkspaceChange change : this.changes) {
			List<WorkspacePath> paths = change.paths();
			for (WorkspacePath path : paths) {
				if (message.contains(WorkspacePath.quote(store.display(path)))) {
					this.refused.put(paths.get(paths.size() - 1), Obstacle.REFUSED);
				}
			}
		}
	}

	/**
	 * Deletes what is not there afterwards, or is replaced, the deepest first.
	 */
	private void delete() {
		for (Delta delta : this.deltas.descendingMap().values()) {
			if (delta.before() != null && delta.isReplaced()) {
				this.changes
					.add(new WorkspaceChange.Delete(delta.path(), WorkspaceChange.Depth.SINGLE, version(delta)));
			}
		}
	}

	private @Nullable String version(Delta delta) {
		Node before = Objects.requireNonNull(delta.before());
		if (before.type() != FileType.FILE) {
			return null;
		}
		if (before.content() != null) {
			return "sha256:" + before.content();
		}
		return (this.files.info(delta.path()) instanceof WorkspaceResult.Ok<FileInfo> ok) ? ok.value().version() : null;
	}

	private void create(Path stage, boolean moves) throws IOException {
		HostUser current = HostUser.current();
		boolean root = current != null && current.uid() == 0;
		int position = -1;
		for (Delta delta : this.deltas.values()) {
			Node after = delta.after();
			boolean replaced = delta.isReplaced();
			position++;
			if (after == null || (!replaced && Objects.requireNonNull(delta.before()).hasContentOf(after))) {
				continue;
			}
			if (!replaced) {
				write(delta, after, Delta.MAX_WRITTEN, version(delta));
			}
			else if (!moves) {
				if (after.type() == FileType.DIRECTORY) {
					this.changes.add(new WorkspaceChange.CreateDirectory(delta.path()));
				}
				else {
					write(delta, after, Integer.MAX_VALUE - 8, WorkspaceChange.ABSENT);
				}
			}
			else {
				move(delta.path(), after, stage.resolve(String.valueOf(position)), root);
			}
		}
	}

	private void write(Delta delta, Node after, long most, @Nullable String version) {
		byte[] content = this.tracked.contents().read(Objects.requireNonNull(after.content()), most);
		if (content != null) {
			this.changes.add(new WorkspaceChange.Write(delta.path(), content, version));
		}
		else {
			this.refused.put(delta.path(), Obstacle.UNKEPT);
		}
	}

	/**
	 * Makes an entry beside the record, to be moved to its place alone, or with the
	 * directory that it is in.
	 * @param alone its copy if it is moved alone
	 * @param owned whether it is to have the owner of the directory that it comes to
	 */
	private void move(WorkspacePath path, Node node, Path alone, boolean owned) throws IOException {
		Path above = this.staged.get(path.parent());
		Path copy = (above != null) ? above.resolve(path.name()) : alone;
		if (node.type() == FileType.DIRECTORY && above == null && this.single.contains(path)) {
			this.changes.add(new WorkspaceChange.CreateDirectory(path));
			return;
		}
		switch (node.type()) {
			case DIRECTORY -> {
				Files.createDirectory(copy);
				this.staged.put(path, copy);
			}
			case LINK -> Files.createSymbolicLink(copy, Path.of(Objects.requireNonNull(node.content())));
			default -> {
				if (!this.tracked.contents().copy(Objects.requireNonNull(node.content()), copy)) {
					this.refused.put(path, Obstacle.UNKEPT);
				}
				Files.setPosixFilePermissions(copy,
						PosixFilePermissions.fromString((node.mode() != null) ? node.mode() : USUAL));
			}
		}
		if (owned) {
			ownerOf(path.parent().toPath()).own(copy);
		}
		if (above == null) {
			this.changes.add(move(this.home, copy, path));
		}
	}

	static WorkspaceChange move(Path home, Path copy, WorkspacePath path) {
		return new WorkspaceChange.Move(new WorkspacePath(home, home.relativize(copy).toString()), path);
	}

	/**
	 * Returns the owner of a directory, or of the nearest one above that exists.
	 */
	private static HostUser ownerOf(Path directory) throws IOException {
		Path above = directory;
		while (!Files.exists(above, LinkOption.NOFOLLOW_LINKS)) {
			above = Objects.requireNonNull(above.getParent());
		}
		Map<String, Object> owner = Files.readAttributes(above, "unix:uid,gid", LinkOption.NOFOLLOW_LINKS);
		return new HostUser((Integer) owner.getOrDefault("uid", 0), (Integer) owner.getOrDefault("gid", 0));
	}

}
