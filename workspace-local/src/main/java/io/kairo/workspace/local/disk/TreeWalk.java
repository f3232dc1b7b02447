package io.kairo.workspace.local.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WorkspaceVisitor.Next;
import io.kairo.workspace.local.disk.handle.DirectFiles;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.handle.SharedDirectory;
import io.kairo.workspace.local.path.PathSyntax;
import org.jspecify.annotations.Nullable;

/**
 * Visits the tree below an open directory, the files of a directory before its
 * directories, in a thread and, for large trees, in a few others. A directory stays open
 * until its directories are opened. Directories below {@link #MAX_DEPTH}, and those whose
 * thread is lost, are counted as unreadable.
 */
final class TreeWalk {

	/** Depth of the deepest directory, where a root has depth 1. */
	static final int MAX_DEPTH = 1 + PathSyntax.MAX_NAMES;

	/** Maximum number of waiting directories; others are counted as unreadable. */
	private static final int MAX_WAITING = 50_000;

	/** Number of waiting directories above which another thread pays off. */
	private static final int MANY = 16;

	private final EntryNames entryNames;

	private final HiddenDirectory hidden;

	private final WorkspaceVisitor visitor;

	private final @Nullable DirectFiles direct;

	private final WalkWorkers<Task, RuntimeException> workers;

	private final AtomicInteger waiting = new AtomicInteger();

	private final Counts counts = new Counts();

	TreeWalk(EntryNames entryNames, HiddenDirectory hidden, WorkspaceVisitor visitor, DirectoryOpener opener) {
		this.entryNames = entryNames;
		this.hidden = hidden;
		this.visitor = visitor;
		this.direct = opener.direct();
		this.workers = new WalkWorkers<>(opener::start, this::work, (task) -> this.counts.addUnreadable(), MANY);
	}

	WalkReport walk(WorkspacePath path, OpenDirectory directory) {
		this.workers.add(List.of(new Task(new SharedDirectory(directory), null, path, 1)));
		this.workers.run(this.workers::stop);
		return report();
	}

	WalkReport report() {
		return this.counts.report(this.workers.isStopped());
	}

	private boolean admits(WorkspacePath directory) {
		Next next = this.visitor.directory(directory);
		stopIf(next == Next.STOP);
		return next == Next.CONTINUE;
	}

	private void stopIf(boolean stop) {
		if (stop) {
			this.workers.stop();
		}
	}

	private void work(Task task) {
		Path name = task.name();
		if (name == null) {
			if (admits(task.path())) {
				visit(task.path(), task.parent(), task.depth());
			}
			return;
		}
		this.waiting.decrementAndGet();
		WorkspacePath path = task.path().child(name.toString());
		if (admits(path)) {
			enter(task, name, path);
		}
	}

	private void enter(Task task, Path name, WorkspacePath path) {
		if (task.depth() > MAX_DEPTH) {
			this.counts.addUnreadable();
			return;
		}
		OpenDirectory opened;
		try {
			opened = task.parent().directory().directory(name);
		}
		catch (IOException ex) {
			this.counts.addUnreadable();
			return;
		}
		SharedDirectory shared = new SharedDirectory(opened);
		try {
			visit(path, shared, task.depth());
		}
		finally {
			shared.release();
		}
	}

	private void visit(WorkspacePath path, SharedDirectory shared, int depth) {
		this.counts.addDirectory();
		List<Path> below = new ArrayList<>();
		try {
			if (!visitFiles(path, shared.directory(), below)) {
				return;
			}
		}
		catch (DirectoryIteratorException ex) {
			this.counts.addUnreadable(); // the rest of it
		}
		shared.retain(below.size());
		this.waiting.addAndGet(below.size());
		this.workers.add(below.stream().map((name) -> new Task(shared, name, path, depth + 1)).toList());
	}

	/**
	 * Visits the files of a directory.
	 * @param below receives the names of its directories
	 * @return whether to continue with those
	 */
	private boolean visitFiles(WorkspacePath path, OpenDirectory directory, List<Path> below) {
		FirstNames names = new FirstNames(directory);
		this.visitor.names(path, names::mayHave);
		while (names.hasNext() && !this.workers.isStopped()) {
			Path name = names.next();
			if (TemporaryNames.is(name)) {
				continue;
			}
			WorkspacePath child = this.entryNames.child(path, name);
			if (child == null) {
				this.counts.addUnreadable();
				continue;
			}
			try {
				BasicFileAttributes attributes = directory.attributes(name);
				if (attributes.isDirectory()) {
					if (!this.hidden.is(directory.path().resolve(name), attributes)
							&& !MountPoints.is(directory, name, attributes)) {
						add(below, name);
					}
				}
				else if (attributes.isRegularFile()) {
					if (!visitFile(new WalkedFile(child, directory, name, attributes, this.direct))) {
						return false;
					}
				}
				else {
					this.counts.addUnvisited(attributes);
				}
			}
			catch (NoSuchFileException ex) {
				// It has gone meanwhile.
			}
			catch (IOException ex) {
				this.counts.addUnreadable();
			}
		}
		return true;
	}

	/**
	 * Adds a directory that will wait, for which the memory is bounded.
	 */
	private void add(List<Path> below, Path name) {
		if (below.size() + this.waiting.get() < MAX_WAITING) {
			below.add(name);
		}
		else {
			this.counts.addUnreadable();
		}
	}

	private boolean visitFile(WalkedFile file) throws IOException {
		try (file) {
			Next next = this.visitor.file(file);
			this.counts.addFile();
			stopIf(next == Next.STOP);
			return next == Next.CONTINUE;
		}
	}

	/**
	 * A directory to visit.
	 *
	 * @param parent the directory above
	 * @param name its name there, null for the directory itself
	 * @param path the path of the directory above, or of the directory itself
	 * @param depth its depth, 1 for the top directory
	 */
	private record Task(SharedDirectory parent, @Nullable Path name, WorkspacePath path,
			int depth) implements WalkWorkers.Task {

	}

	/**
	 * The entries found so far. Safe for use by several threads.
	 */
	private static final class Counts {

		private final LongAdder files = new LongAdder();

		private final LongAdder directories = new LongAdder();

		private final LongAdder links = new LongAdder();

		private final LongAdder others = new LongAdder();

		private final LongAdder unreadable = new LongAdder();

		void addFile() {
			this.files.increment();
		}

		void addDirectory() {
			this.directories.increment();
		}

		/**
		 * Counts an entry that could not be read, or not completely.
		 */
		void addUnreadable() {
			this.unreadable.increment();
		}

		/**
		 * Counts an entry that is neither a file nor a directory.
		 */
		void addUnvisited(BasicFileAttributes attributes) {
			(attributes.isSymbolicLink() ? this.links : this.others).increment();
		}

		WalkReport report(boolean stopped) {
			return new WalkReport(this.files.sum(), this.directories.sum(), this.links.sum(), this.others.sum(),
					this.unreadable.sum(), stopped);
		}

	}

	/**
	 * A file found by a walk, opened on the first read. It ends where it ended at the
	 * time of the walk, unless a read finds more.
	 */
	private static final class WalkedFile implements WorkspaceVisitor.Entry, Closeable {

		private final WorkspacePath path;

		private final OpenDirectory directory;

		private final Path name;

		private final BasicFileAttributes attributes;

		private final @Nullable DirectFiles direct;

		private @Nullable SeekableByteChannel channel;

		private long position;

		private boolean closed;

		WalkedFile(WorkspacePath path, OpenDirectory directory, Path name, BasicFileAttributes attributes,
				@Nullable DirectFiles direct) {
			this.path = path;
			this.directory = directory;
			this.name = name;
			this.attributes = attributes;
			this.direct = direct;
		}

		@Override
		public WorkspacePath path() {
			return this.path;
		}

		@Override
		public long size() {
			return this.attributes.size();
		}

		@Override
		public Instant modified() {
			return this.attributes.lastModifiedTime().toInstant();
		}

		@Override
		public int read(byte[] buffer, long offset) throws IOException {
			if (this.closed) {
				throw new IllegalStateException("The visit of " + WorkspacePath.quote(this.path.relative())
						+ " is over: read it during the callback");
			}
			SeekableByteChannel open = this.channel;
			if (open == null) {
				open = open();
				this.channel = open;
			}
			if (offset != this.position) {
				open.position(offset);
			}
			int count = ContentReader.fill(open, buffer, size() - offset);
			this.position = offset + count;
			return (count == 0 && (buffer.length > 0 || offset >= open.size())) ? -1 : count;
		}

		private SeekableByteChannel open() throws IOException {
			if (this.direct != null) {
				try {
					return this.direct.open(this.directory.path().resolve(this.name));
				}
				catch (IOException ex) {
					// Opening it in its directory finds out why.
				}
			}
			return this.directory.file(this.name);
		}

		@Override
		public void close() throws IOException {
			this.closed = true;
			if (this.channel != null) {
				this.channel.close();
			}
		}

	}

}
