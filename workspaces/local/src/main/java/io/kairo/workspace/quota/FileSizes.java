package io.kairo.workspace.quota;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.workspace.local.PortableName;
import io.kairo.workspace.local.path.PathGate;

/**
 * Computes the sizes of files after a series of changes, without applying them. Sizes are
 * overestimated rather than underestimated: names that differ only in case or composition
 * may be the same file or not, and changes to them are counted as changes to two files.
 */
final class FileSizes {

	private final WorkspaceFiles files;

	/** The sizes after the changes so far, by path; -1 for a removed file. */
	private final Map<WorkspacePath, Long> changed = new HashMap<>();

	/** The same paths by their folded form. */
	private final Map<String, Set<WorkspacePath>> spellings = new HashMap<>();

	private final Map<Path, Usage> growth = new HashMap<>();

	FileSizes(WorkspaceFiles files) {
		this.files = files;
	}

	/**
	 * Returns the growth of each root by the changes so far.
	 */
	Map<Path, Usage> growth() {
		return Map.copyOf(this.growth);
	}

	void apply(WorkspaceChange change) {
		if (change instanceof WorkspaceChange.Write write) {
			put(write.path(), write.content().length);
		}
		else if (change instanceof WorkspaceChange.CompareExchange exchange) {
			if (hasTwin(exchange.path()) || size(exchange.path()) == exchange.expected().length) {
				put(exchange.path(), exchange.content().length);
			}
		}
		else if (change instanceof WorkspaceChange.Delete delete) {
			remove(delete.path());
		}
		else if (change instanceof WorkspaceChange.Move move) {
			relocate(move.path(), move.target(), true);
		}
		else if (change instanceof WorkspaceChange.Copy copy) {
			relocate(copy.path(), copy.target(), false);
		}
	}

	private void relocate(WorkspacePath source, WorkspacePath target, boolean removes) {
		if (target.isRoot()) {
			return; // refused by every store
		}
		Map<WorkspacePath, Long> relocated = below(source, true);
		if (removes) {
			remove(source);
		}
		int depth = source.isRoot() ? 0 : names(source).size();
		relocated.forEach((path, size) -> {
			List<String> names = new ArrayList<>(names(target));
			names.addAll(names(path).subList(depth, names(path).size()));
			put(new WorkspacePath(target.root(), String.join("/", names)), size);
		});
	}

	private static List<String> names(WorkspacePath path) {
		return List.of(path.relative().split("/", -1));
	}

	private void remove(WorkspacePath path) {
		Map<WorkspacePath, Long> removed = below(path, false);
		if (removed.keySet().stream().allMatch(this.changed::containsKey) || !isLink(path)) {
			removed.keySet().forEach((file) -> put(file, -1));
		}
	}

	/**
	 * Returns whether the entry at a path is a link. A link is removed without its
	 * target.
	 */
	private boolean isLink(WorkspacePath path) {
		WorkspaceResult<FileListing> siblings = this.files.list(path.parent(), 1);
		return siblings.isOk() && siblings.value()
			.entries()
			.stream()
			.filter((entry) -> entry.type() == FileType.FILE || entry.type() == FileType.DIRECTORY)
			.noneMatch((entry) -> folded(entry.path()).equals(folded(path)));
	}

	private void put(WorkspacePath path, long size) {
		long before = hasTwin(path) ? -1 : size(path);
		this.changed.put(path, size);
		this.spellings.computeIfAbsent(folded(path), (missing) -> new HashSet<>()).add(path);
		this.growth.merge(path.root(), usage(size).minus(usage(before)), Usage::plus);
	}

	/**
	 * Returns whether an earlier change had a path that differs only in case or
	 * composition.
	 */
	private boolean hasTwin(WorkspacePath path) {
		return this.spellings.getOrDefault(folded(path), Set.of()).stream().anyMatch((other) -> !other.equals(path));
	}

	private static String folded(WorkspacePath path) {
		return PortableName.foldFully(path.toString());
	}

	private static Usage usage(long size) {
		return (size < 0) ? Usage.NONE : new Usage(size, 1);
	}

	/**
	 * Returns the size of a file, -1 if it does not exist.
	 */
	private long size(WorkspacePath path) {
		Long known = this.changed.get(path);
		if (known != null) {
			return known;
		}
		if (!PathGate.fits(path)) {
			return -1; // and the store refuses to create it
		}
		WorkspaceResult<FileInfo> info = this.files.info(path);
		return (info.isOk() && info.value().type() == FileType.FILE) ? info.value().size() : -1;
	}

	/**
	 * Returns the files at a path and below it.
	 */
	private Map<WorkspacePath, Long> below(WorkspacePath path, boolean inAnyCase) {
		Map<WorkspacePath, Long> found = new ConcurrentHashMap<>();
		WorkspaceResult<WalkReport> walk = this.files.walk(path, (file) -> {
			found.put(file.path(), file.size());
			return WorkspaceVisitor.Next.CONTINUE;
		});
		if (!walk.isOk() && size(path) >= 0) {
			found.put(path, size(path));
		}
		this.changed.forEach((other, size) -> {
			if (isWithin(other, path, inAnyCase)) {
				found.put(other, size);
			}
		});
		found.values().removeAll(List.of(-1L));
		return found;
	}

	private static boolean isWithin(WorkspacePath path, WorkspacePath directory, boolean inAnyCase) {
		return path.startsWith(directory) || (inAnyCase && path.root().equals(directory.root())
				&& (folded(path) + "/").startsWith(folded(directory) + "/"));
	}

	/**
	 * Returns the sizes after a list of changes, in their order.
	 */
	static FileSizes after(WorkspaceFiles files, Collection<WorkspaceChange> changes) {
		FileSizes sizes = new FileSizes(files);
		changes.forEach(sizes::apply);
		return sizes;
	}

}
