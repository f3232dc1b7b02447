package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
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
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Changes entries to the states that a step has, as one batch: their contents are copied
 * beside the record first, and moved from there. The step is written before and becomes
 * valid afterwards, so that it is completed or forgotten if the JVM is killed. For use by
 * one thread, alone in the workspace's record.
 */
final class PendingRewind {

	private static final Logger logger = System.getLogger(PendingRewind.class.getName());

	/** Always the same, so that a batch that was interrupted is found and undone. */
	private static final String STAGE = "stage";

	/** All permissions of an owner. */
	private static final String ALL = "rwx";

	/** The permissions of a file of a store without any. */
	private static final String USUAL = "rw-r--r--";

	/** Maximum size of a file that is written rather than replaced. */
	private static final long WRITTEN = 1 << 20;

	private final SessionCheckpoints session;

	private final WorkspaceFiles files;

	private final TrackedWorkspace tracked;

	private final Path home;

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

	/**
	 * Completes or forgets the steps of a JVM that was killed.
	 * @param logs the steps of all sessions
	 */
	void recover(List<StepLog> logs) throws IOException {
		List<Path> pending = new ArrayList<>();
		for (StepLog each : logs) {
			pending.addAll(each.pending());
		}
		if (pending.isEmpty()) {
			return;
		}
		OwnerOnly.createDirectories(this.home.resolve(STAGE));
		// undoes a batch that was interrupted
		this.files.including(this.home);
		for (Path file : pending) {
			List<Delta> here = here(StepLog.read(file));
			if (!here.isEmpty() && isApplied(here)) {
				permit(here);
				StepLog.commit(file);
			}
			else {
				Files.deleteIfExists(file);
			}
		}
		removeStage();
	}

	/**
	 * Returns what a rewind changes in the roots of now: one that was added may be gone.
	 */
	private List<Delta> here(@Nullable Step step) {
		List<Delta> deltas = (step == null || step.kind() == Step.Kind.CALL) ? List.of() : step.deltas();
		return deltas.stream().filter((delta) -> this.session.roots().contains(delta.path().root())).toList();
	}

	private boolean isApplied(List<Delta> deltas) {
		Map<WorkspacePath, Node> now = new TreeScan(this.files, Map.of(), this.tracked, () -> false)
			.single(deltas.stream().map(Delta::path).toList())
			.found();
		return deltas.stream().allMatch((delta) -> {
			Node after = delta.after();
			Node found = now.get(delta.path());
			return (found == null || after == null) ? found == null && after == null
					: found.type() == after.type() && found.hasContentOf(after);
		});
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
			Map<WorkspacePath, Node> granted = grant(step);
			WorkspaceFiles store = (wider != null) ? wider : this.files;
			WorkspaceResult<ChangeReport> applied = store.apply(new WorkspaceChange.Batch(this.changes));
			if (applied instanceof WorkspaceResult.Failure<ChangeReport> failure) {
				Files.deleteIfExists(pending);
				granted.forEach(this::permit);
				refuse(failure.message(), store);
				return applied;
			}
			this.refused.clear();
			permit(step.deltas());
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
		try {
			TreeDeletion.delete(this.home);
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
			if (delta.before() != null && isReplaced(delta)) {
				this.changes
					.add(new WorkspaceChange.Delete(delta.path(), WorkspaceChange.Depth.SINGLE, version(delta)));
			}
		}
	}

	private static boolean isReplaced(Delta delta) {
		Node before = delta.before();
		Node after = delta.after();
		if (before == null || after == null || before.type() != after.type()) {
			return true;
		}
		return !before.hasContentOf(after) && !isWritten(before, after);
	}

	private static boolean isWritten(Node before, Node after) {
		return before.type() == FileType.FILE && after.size() <= WRITTEN
				&& (before.mode() == null || before.mode().startsWith("rw"));
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
		for (Delta delta : this.deltas.values()) {
			Node after = delta.after();
			boolean replaced = isReplaced(delta);
			if (after == null || (!replaced && Objects.requireNonNull(delta.before()).hasContentOf(after))) {
				continue;
			}
			if (!replaced) {
				write(delta, after, WRITTEN, version(delta));
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
				move(delta.path(), after, stage, root);
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
	 * @param owned whether it is to have the owner of the directory that it comes to
	 */
	private void move(WorkspacePath path, Node node, Path stage, boolean owned) throws IOException {
		Path above = this.staged.get(path.parent());
		Path copy = (above != null) ? above.resolve(path.name()) : stage.resolve(String.valueOf(this.changes.size()));
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
			this.changes.add(new WorkspaceChange.Move(
					new WorkspacePath(this.home, this.home.relativize(copy).toString()), path));
		}
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

	/**
	 * Lets the owner into directories that are changed or removed.
	 * @return the directories as they were
	 */
	private Map<WorkspacePath, Node> grant(Step step) {
		Map<WorkspacePath, Node> granted = new TreeMap<>();
		for (Delta delta : step.deltas()) {
			Node before = delta.before();
			if (before != null && before.type() == FileType.DIRECTORY && before.mode() != null
					&& !before.mode().startsWith(ALL)) {
				granted.put(delta.path(), before);
				permit(delta.path(), Node.directory(ALL + before.mode().substring(ALL.length())));
			}
		}
		return granted;
	}

	/**
	 * Sets the permissions that the batch does not: those of directories, and of files
	 * that were not replaced. The deepest come first, since a directory may lose the
	 * permission to enter it.
	 */
	private void permit(List<Delta> deltas) {
		NavigableMap<WorkspacePath, Node> modes = new TreeMap<>();
		for (Delta delta : deltas) {
			Node after = delta.after();
			if (after != null && after.mode() != null
					&& (after.type() == FileType.DIRECTORY || (after.type() == FileType.FILE && !isReplaced(delta)))
					&& (delta.before() == null || !after.mode().equals(delta.before().mode()))) {
				modes.put(delta.path(), after);
			}
		}
		modes.descendingMap().forEach(this::permit);
	}

	/**
	 * Sets the permissions of an entry. Java has to open it for that, which fails for
	 * directories that the user of the application may not read.
	 */
	private void permit(WorkspacePath path, Node node) {
		DirectoryOpener opener = DirectoryOpener.platform();
		try {
			// opens the entry, which may have become a FIFO
			opener.call(() -> {
				try (OpenDirectory root = opener.open(path.root().toRealPath())) {
					permit(root, path.relative().split("/"), 0, node);
				}
				return path;
			});
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "The permissions of an entry could not be put back", ex);
			this.refused.put(path, Obstacle.REFUSED);
		}
	}

	private static void permit(OpenDirectory directory, String[] names, int at, Node node) throws IOException {
		Path name = directory.path().getFileSystem().getPath(names[at]);
		if (at < names.length - 1) {
			try (OpenDirectory next = directory.directory(name)) {
				permit(next, names, at + 1, node);
			}
			return;
		}
		BasicFileAttributes attributes = directory.attributes(name);
		if ((node.type() == FileType.DIRECTORY) ? attributes.isDirectory() : attributes.isRegularFile()) {
			directory.permit(name, PosixFilePermissions.fromString(Objects.requireNonNull(node.mode())));
		}
	}

}
