package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import io.kairo.api.workspace.Checkpoint;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Examines entries of a workspace, and keeps the content of files that are not known. For
 * use by one thread at a time; the walk calls it from several.
 */
final class TreeScan {

	/** Maximum length of a path, since a step keeps at most 65,535 bytes of each. */
	private static final int MAX_PATH = 16_000;

	private static final int MAX_UNKEPT = 20;

	private final WorkspaceFiles files;

	private final RecordedPaths recorded;

	private final Map<WorkspacePath, Node> known;

	private final Contents contents;

	private final CheckpointOptions options;

	private final BooleanSupplier over;

	private long maxFileBytes;

	/** Whether the content of files is read that are the same as known. */
	private boolean whole = true;

	private Map<WorkspacePath, Node> found = new ConcurrentHashMap<>();

	/** Entries that could not be read, or not in whole. */
	private final Set<WorkspacePath> unreadable = ConcurrentHashMap.newKeySet();

	/** Directories that others replaced by links, as a path leads through one. */
	private final Set<WorkspacePath> linked = new HashSet<>();

	/** Size of the files that were found and whose content is kept. */
	private final AtomicLong kept = new AtomicLong();

	/** Number of files whose content would be kept if there were more time. */
	private final AtomicInteger pending = new AtomicInteger();

	private volatile boolean read;

	private volatile boolean noRoom;

	private volatile boolean incomplete;

	/**
	 * Creates a scan.
	 * @param known what is known of the entries
	 * @param over returns whether no further content is to be read
	 */
	TreeScan(WorkspaceFiles files, Map<WorkspacePath, Node> known, TrackedWorkspace tracked, BooleanSupplier over) {
		this.files = files;
		this.recorded = RecordedPaths.of(files.writePolicy());
		this.known = known;
		this.contents = tracked.contents();
		this.options = tracked.options();
		this.maxFileBytes = this.options.maxFileBytes();
		this.over = over;
	}

	/**
	 * Keeps the content of files only that are not as known.
	 * @param most the maximum size of a file whose content is kept
	 */
	TreeScan changed(long most) {
		this.whole = false;
		this.maxFileBytes = most;
		return this;
	}

	/**
	 * Examines everything below directories.
	 */
	TreeScan roots(Collection<Path> roots) {
		this.found = new ConcurrentHashMap<>(2 * this.known.size() + 16);
		for (Path root : roots) {
			WorkspacePath top = new WorkspacePath(root, "");
			walk(top, new Visitor(top, (path) -> true, true));
		}
		return this;
	}

	/**
	 * Examines entries, with everything in them.
	 */
	TreeScan entries(Collection<WorkspacePath> entries) {
		byParent(entries).forEach((parent, wanted) -> walk(parent,
				new Visitor(parent, (path) -> wanted.stream().anyMatch(path::startsWith), true)));
		return this;
	}

	/**
	 * Examines entries, but not what is in them.
	 */
	TreeScan single(Collection<WorkspacePath> entries) {
		byParent(entries).forEach((parent, wanted) -> walk(parent, new Visitor(parent, wanted::contains, false)));
		return this;
	}

	private Map<WorkspacePath, Set<WorkspacePath>> byParent(Collection<WorkspacePath> entries) {
		Map<WorkspacePath, Set<WorkspacePath>> byParent = new HashMap<>();
		for (WorkspacePath each : entries) {
			if (!each.isRoot()) {
				byParent.computeIfAbsent(each.parent(), (missing) -> new HashSet<>()).add(each);
			}
		}
		byParent.keySet().removeIf((parent) -> {
			boolean leads = !this.files.followed(parent, false).toPath().equals(parent.toPath());
			if (leads) {
				this.linked.add(parent);
			}
			return leads;
		});
		return byParent;
	}

	private void walk(WorkspacePath directory, Visitor visitor) {
		// an interrupt would end the walk
		boolean interrupted = Thread.interrupted();
		try {
			WorkspaceResult<WalkReport> report = this.files.walk(directory, visitor);
			if (report instanceof WorkspaceResult.Failure<WalkReport> failure) {
				if (failure.code() != WorkspaceErrorCode.FILE_NOT_FOUND
						&& failure.code() != WorkspaceErrorCode.NOT_A_DIRECTORY) {
					this.incomplete = true;
					this.unreadable.add(directory);
				}
			}
			else {
				this.incomplete |= report.value().stopped();
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Returns whether a directory has entries that may not go.
	 * @param mayGo tests an entry
	 */
	static boolean hasOthers(WorkspaceFiles files, WorkspacePath directory, Predicate<WorkspacePath> mayGo) {
		WorkspaceResult<WalkReport> report = files.walk(directory, new WorkspaceVisitor() {

			@Override
			public Next directory(WorkspacePath path) {
				return path.equals(directory) ? Next.CONTINUE : mayGo.test(path) ? Next.SKIP : Next.STOP;
			}

			@Override
			public Next file(Entry file) {
				return mayGo.test(file.path()) ? Next.CONTINUE : Next.STOP;
			}

			@Override
			public void other(Entry other) throws IOException {
				if (!mayGo.test(other.path())) {
					throw new IOException("There is another entry"); // counts as
																		// unreadable
				}
			}

		});
		return !report.isOk() || report.value().stopped() || report.value().unreadable() > 0;
	}

	/**
	 * Returns the entries that were found.
	 */
	Map<WorkspacePath, Node> found() {
		return this.found;
	}

	/**
	 * Sums up the files whose content is not kept by the first names of their paths.
	 */
	List<Checkpoint.Unkept> unkept() {
		Map<WorkspacePath, Checkpoint.Unkept> sums = new TreeMap<>();
		this.found.forEach((path, node) -> {
			if (node.type() == FileType.FILE && node.content() == null) {
				int slash = path.relative().indexOf('/');
				WorkspacePath first = (slash < 0) ? path
						: new WorkspacePath(path.root(), path.relative().substring(0, slash));
				sums.merge(first, new Checkpoint.Unkept(first, 1, node.size()),
						(one, other) -> new Checkpoint.Unkept(first, one.files() + other.files(),
								one.bytes() + other.bytes()));
			}
		});
		return sums.values()
			.stream()
			.sorted((one, other) -> Long.compare(other.bytes(), one.bytes()))
			.limit(MAX_UNKEPT)
			.toList();
	}

	int pending() {
		return this.pending.get();
	}

	/**
	 * Declares that nothing is known.
	 */
	void giveUp() {
		this.incomplete = true;
	}

	/**
	 * Returns whether there were too many entries, or another reason to stop.
	 */
	boolean isIncomplete() {
		return this.incomplete;
	}

	/**
	 * Returns whether content was read, so that a change within the resolution of the
	 * clock could remain unnoticed.
	 */
	boolean hasRead() {
		return this.read;
	}

	/**
	 * Returns the size of all contents if there was no room for one of them, otherwise 0.
	 */
	long lacking() {
		return this.noRoom ? this.kept.get() : 0;
	}

	/**
	 * Returns an entry that could not be read, or not in whole.
	 * @return null if there is none
	 */
	@Nullable WorkspacePath unreadable() {
		return this.unreadable.stream().min(Comparator.naturalOrder()).orElse(null);
	}

	/**
	 * Returns whether an entry may exist although it was not found.
	 */
	boolean isUnknown(WorkspacePath path) {
		return !this.unreadable.isEmpty() && isBelowOneOf(path, this.unreadable);
	}

	/**
	 * Returns whether the path of an entry leads through a link that was a directory.
	 */
	boolean isLinked(WorkspacePath path) {
		return !this.linked.isEmpty() && isBelowOneOf(path, this.linked);
	}

	private static boolean isBelowOneOf(WorkspacePath path, Set<WorkspacePath> directories) {
		for (WorkspacePath each = path; !each.isRoot();) {
			each = each.parent();
			if (directories.contains(each)) {
				return true;
			}
		}
		return false;
	}

	private Node file(WorkspaceVisitor.Entry file) throws IOException {
		String stamp = file.stamp();
		Node former = this.known.get(file.path());
		Node node = (former != null && former.type() == FileType.FILE && former.stamp().equals(stamp)) ? former
				: new Node(FileType.FILE, file.size(), file.mode(), stamp, null);
		if (node.size() > this.maxFileBytes || (!this.whole && node.equals(former))) {
			return node;
		}
		if (node.content() != null) {
			this.kept.addAndGet(node.size());
			return node;
		}
		if (this.over.getAsBoolean()) {
			this.pending.incrementAndGet();
			return node;
		}
		// the rest is for what steps need
		if (this.kept.addAndGet(node.size()) > this.options.maxBytes() / 2) {
			this.kept.addAndGet(-node.size());
			return node;
		}
		this.read = true;
		try {
			String content = this.contents.keep(file, node.size());
			this.noRoom |= content == null && this.contents.isFull(node.size());
			// it may have changed while it was read
			return (content != null && file.stamp().equals(stamp)) ? node.withContent(content) : node;
		}
		catch (IOException ex) {
			return node;
		}
	}

	/**
	 * Visits the entries to examine.
	 */
	private final class Visitor implements WorkspaceVisitor {

		private final WorkspacePath top;

		private final Predicate<WorkspacePath> wanted;

		private final boolean deep;

		Visitor(WorkspacePath top, Predicate<WorkspacePath> wanted, boolean deep) {
			this.top = top;
			this.wanted = wanted;
			this.deep = deep;
		}

		private boolean isWanted(WorkspacePath path) {
			return this.wanted.test(path) && path.relative().length() <= MAX_PATH && TreeScan.this.recorded.test(path);
		}

		@Override
		public Next directory(WorkspacePath directory) {
			return enter(directory, null);
		}

		@Override
		public Next directory(Entry directory) throws IOException {
			return enter(directory.path(), directory.mode());
		}

		private Next enter(WorkspacePath directory, @Nullable String mode) {
			if (directory.equals(this.top)) {
				return Next.CONTINUE;
			}
			if (!isWanted(directory)) {
				return Next.SKIP;
			}
			TreeScan.this.found.put(directory, Node.directory(mode));
			return !this.deep ? Next.SKIP : next();
		}

		private Next next() {
			return (this.deep && TreeScan.this.found.size() > TreeScan.this.options.maxFiles()) ? Next.STOP
					: Next.CONTINUE;
		}

		@Override
		public Next file(Entry file) throws IOException {
			if (isWanted(file.path())) {
				TreeScan.this.found.put(file.path(), TreeScan.this.file(file));
			}
			return next();
		}

		@Override
		public void other(Entry other) throws IOException {
			if (isWanted(other.path())) {
				String target = other.target();
				TreeScan.this.found.put(other.path(), new Node(other.type(), 0,
						(other.type() == FileType.LINK) ? null : other.mode(), other.stamp(), target));
			}
		}

		@Override
		public void unreadable(WorkspacePath path) {
			TreeScan.this.unreadable.add(path);
		}

	}

}
