package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;

import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;

/**
 * Sets the permissions of entries, as a rewind needs them. For use by one thread.
 */
final class Permissions {

	private static final Logger logger = System.getLogger(Permissions.class.getName());

	/** All permissions of an owner. */
	private static final String ALL = "rwx";

	private final Set<WorkspacePath> refused = new HashSet<>();

	/**
	 * Returns the entries whose permissions could not be set.
	 */
	Set<WorkspacePath> refused() {
		return this.refused;
	}

	/**
	 * Lets the owner into directories that are changed or removed.
	 */
	void open(List<Delta> deltas) {
		closed(deltas).forEach((path, before) -> set(path, opened(before)));
	}

	/**
	 * Closes the directories again that were opened.
	 * @param isPresent tests whether an entry is still as it was when it was opened
	 */
	void close(List<Delta> deltas, BiPredicate<WorkspacePath, Node> isPresent) {
		closed(deltas).descendingMap().forEach((path, before) -> {
			if (isPresent.test(path, opened(before))) {
				set(path, before);
			}
		});
	}

	/**
	 * Returns the directories that their owner may not use, as they were before.
	 */
	private static NavigableMap<WorkspacePath, Node> closed(List<Delta> deltas) {
		NavigableMap<WorkspacePath, Node> closed = new TreeMap<>();
		for (Delta delta : deltas) {
			Node before = delta.before();
			if (before != null && before.type() == FileType.DIRECTORY && before.mode() != null
					&& !before.mode().startsWith(ALL)) {
				closed.put(delta.path(), before);
			}
		}
		return closed;
	}

	private static Node opened(Node closed) {
		return Node.directory(ALL + Objects.requireNonNull(closed.mode()).substring(ALL.length()));
	}

	/**
	 * Sets the permissions that the batch does not: those of directories, and of files
	 * that were not replaced. The deepest come first, since a directory may lose the
	 * permission to enter it.
	 */
	void set(List<Delta> deltas) {
		NavigableMap<WorkspacePath, Node> modes = new TreeMap<>();
		for (Delta delta : deltas) {
			Node after = delta.after();
			if (after != null && after.mode() != null
					&& (after.type() == FileType.DIRECTORY || (after.type() == FileType.FILE && !delta.isReplaced()))
					&& (delta.before() == null || !after.mode().equals(delta.before().mode()))) {
				modes.put(delta.path(), after);
			}
		}
		modes.descendingMap().forEach(this::set);
	}

	/**
	 * Sets the permissions of an entry. Java has to open it for that, which fails for
	 * directories that the user of the application may not read.
	 */
	private void set(WorkspacePath path, Node node) {
		DirectoryOpener opener = DirectoryOpener.platform();
		try {
			// opens the entry, which may have become a FIFO
			opener.call(() -> {
				try (OpenDirectory root = opener.open(path.root().toRealPath())) {
					set(root, path.relative().split("/"), 0, node);
				}
				return path;
			});
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "The permissions of an entry could not be put back", ex);
			this.refused.add(path);
		}
	}

	private static void set(OpenDirectory directory, String[] names, int at, Node node) throws IOException {
		Path name = directory.path().getFileSystem().getPath(names[at]);
		if (at < names.length - 1) {
			try (OpenDirectory next = directory.directory(name)) {
				set(next, names, at + 1, node);
			}
			return;
		}
		BasicFileAttributes attributes = directory.attributes(name);
		if ((node.type() == FileType.DIRECTORY) ? attributes.isDirectory() : attributes.isRegularFile()) {
			directory.permit(name, PosixFilePermissions.fromString(Objects.requireNonNull(node.mode())));
		}
	}

}
