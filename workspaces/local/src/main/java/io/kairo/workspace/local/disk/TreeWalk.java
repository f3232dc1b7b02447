package io.kairo.workspace.local.disk;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WorkspaceVisitor.Next;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.ListedDirectory;
import io.kairo.workspace.local.disk.handle.ListedEntry;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.handle.SharedDirectory;
import io.kairo.workspace.local.path.PathSyntax;
import org.jspecify.annotations.Nullable;

/**
 * Visits the tree below an open directory, the files of a directory before its
 * directories in the order of their paths, in a thread and, for large trees, in a few
 * others. A directory stays open until its directories are opened. Directories below
 * {@link #MAX_DEPTH}, and directories whose thread is lost, are counted as unreadable.
 */
final class TreeWalk {

	/** Depth of the deepest directory, where a root has depth 1. */
	static final int MAX_DEPTH = 1 + PathSyntax.MAX_NAMES;

	/** Maximum number of waiting directories; others are counted as unreadable. */
	private static final int MAX_WAITING = 50_000;

	/** Maximum number of waiting directories before another thread pays off. */
	private static final int MANY = 16;

	/**
	 * The order of the paths in the directories. A search that needs the first results
	 * then does not search many others before it knows them.
	 */
	private static final Comparator<ListedEntry> ORDER = Comparator.comparing((entry) -> entry.name() + "/");

	private final EntryNames entryNames;

	private final HiddenDirectory hidden;

	private final WorkspaceVisitor visitor;

	private final DirectoryOpener opener;

	private final WalkWorkers<Task, RuntimeException> workers;

	private final AtomicInteger waiting = new AtomicInteger();

	private final Counts counts = new Counts();

	TreeWalk(EntryNames entryNames, HiddenDirectory hidden, WorkspaceVisitor visitor, DirectoryOpener opener) {
		this.entryNames = entryNames;
		this.hidden = hidden;
		this.visitor = visitor;
		this.opener = opener;
		this.workers = new WalkWorkers<>(opener::start, this::work, this::lose, MANY);
	}

	WalkReport walk(WorkspacePath path, OpenDirectory directory) {
		this.workers.add(List.of(new Task(new SharedDirectory<>(this.opener.listed(directory)), null, path, 1)));
		this.workers.run(this.workers::stop);
		return report();
	}

	WalkReport report() {
		return this.counts.report(this.workers.isStopped());
	}

	private boolean admits(Next next) {
		stopIf(next == Next.STOP);
		return next == Next.CONTINUE;
	}

	private void lose(Task task) {
		ListedEntry entry = task.entry();
		unreadable((entry != null) ? task.path().child(entry.name()) : task.path());
	}

	private void unreadable(WorkspacePath path) {
		this.counts.addUnreadable();
		this.visitor.unreadable(path);
	}

	private boolean admits(WorkspacePath path, Task task, ListedEntry entry) {
		try (WalkedEntry directory = new WalkedEntry(path, task.parent().directory(), entry, FileType.DIRECTORY)) {
			return admits(this.visitor.directory(directory));
		}
		catch (IOException | LostFileException ex) {
			unreadable(path);
			return false;
		}
	}

	private void stopIf(boolean stop) {
		if (stop) {
			this.workers.stop();
		}
	}

	private void work(Task task) {
		ListedEntry entry = task.entry();
		if (entry == null) {
			if (admits(this.visitor.directory(task.path()))) {
				visit(task.path(), task.parent(), task.depth());
			}
			return;
		}
		this.waiting.decrementAndGet();
		WorkspacePath path = task.path().child(entry.name());
		if (admits(path, task, entry)) {
			enter(task, entry, path);
		}
	}

	private void enter(Task task, ListedEntry entry, WorkspacePath path) {
		if (task.depth() > MAX_DEPTH) {
			unreadable(path);
			return;
		}
		ListedDirectory opened;
		try {
			opened = entry.directory();
		}
		catch (IOException ex) {
			unreadable(path);
			return;
		}
		SharedDirectory<ListedDirectory> shared = new SharedDirectory<>(opened);
		try {
			visit(path, shared, task.depth());
		}
		finally {
			shared.release();
		}
	}

	private void visit(WorkspacePath path, SharedDirectory<ListedDirectory> shared, int depth) {
		this.counts.addDirectory();
		List<ListedEntry> below = new ArrayList<>();
		try {
			if (!visitFiles(path, shared.directory(), below)) {
				return;
			}
		}
		catch (DirectoryIteratorException ex) {
			unreadable(path); // the rest of it
		}
		below.sort(ORDER);
		shared.retain(below.size());
		this.waiting.addAndGet(below.size());
		this.workers.add(below.stream().map((entry) -> new Task(shared, entry, path, depth + 1)).toList());
	}

	/**
	 * Visits the files of a directory.
	 * @param below receives its directories
	 * @return whether to continue with those
	 */
	private boolean visitFiles(WorkspacePath path, ListedDirectory directory, List<ListedEntry> below) {
		FirstEntries entries = new FirstEntries(directory);
		this.visitor.names(path, entries::mayHave);
		while (entries.hasNext() && !this.workers.isStopped()) {
			ListedEntry entry = entries.next();
			if (TemporaryNames.is(entry.name())) {
				continue;
			}
			WorkspacePath child = this.entryNames.child(path, entry);
			if (child == null) {
				this.counts.addUnreadable();
				continue;
			}
			try {
				FileType type = entry.type();
				if (type == FileType.DIRECTORY) {
					if (!isHidden(directory, entry)) {
						add(below, entry, child);
					}
				}
				else if (type == FileType.FILE) {
					if (!visitFile(new WalkedEntry(child, directory, entry, type))) {
						return false;
					}
				}
				else {
					this.counts.addUnvisited(type);
					visitOther(new WalkedEntry(child, directory, entry, type));
				}
			}
			catch (NoSuchFileException ex) {
				// It has gone meanwhile.
			}
			catch (IOException ex) {
				unreadable(child);
			}
		}
		return true;
	}

	private boolean isHidden(ListedDirectory directory, ListedEntry entry) throws IOException {
		return this.hidden.is(directory.path().resolve(entry.name()), entry.attributes()) || MountPoints.is(entry);
	}

	/**
	 * Adds a directory that will wait. The memory for it is bounded.
	 */
	private void add(List<ListedEntry> below, ListedEntry entry, WorkspacePath path) {
		if (below.size() + this.waiting.get() < MAX_WAITING) {
			below.add(entry);
		}
		else {
			unreadable(path);
		}
	}

	private void visitOther(WalkedEntry other) throws IOException {
		try (other) {
			this.visitor.other(other);
		}
		catch (LostFileException ex) {
			throw ex.getCause();
		}
	}

	private boolean visitFile(WalkedEntry file) throws IOException {
		try (file) {
			Next next = this.visitor.file(file);
			this.counts.addFile();
			stopIf(next == Next.STOP);
			return next == Next.CONTINUE;
		}
		catch (LostFileException ex) {
			throw ex.getCause();
		}
	}

	/**
	 * A directory to visit.
	 *
	 * @param parent the directory above
	 * @param entry its entry there, null for the directory itself
	 * @param path the path of the directory above, or of the directory itself
	 * @param depth its depth, 1 for the top directory
	 */
	private record Task(SharedDirectory<ListedDirectory> parent, @Nullable ListedEntry entry, WorkspacePath path,
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
		void addUnvisited(FileType type) {
			((type == FileType.LINK) ? this.links : this.others).increment();
		}

		WalkReport report(boolean stopped) {
			return new WalkReport(this.files.sum(), this.directories.sum(), this.links.sum(), this.others.sum(),
					this.unreadable.sum(), stopped);
		}

	}

	/**
	 * Thrown to leave the visit of a file whose attributes cannot be read.
	 */
	private static final class LostFileException extends UncheckedIOException {

		private static final long serialVersionUID = 1L;

		LostFileException(IOException cause) {
			super(cause);
		}

	}

	/**
	 * An entry found by a walk; a file is opened on the first read. It ends where it
	 * ended when it was examined, unless a read finds more.
	 */
	private static final class WalkedEntry implements WorkspaceVisitor.Entry, Closeable {

		private final WorkspacePath path;

		private final ListedDirectory directory;

		private final ListedEntry entry;

		private final FileType type;

		private @Nullable SeekableByteChannel channel;

		private long position;

		private boolean closed;

		WalkedEntry(WorkspacePath path, ListedDirectory directory, ListedEntry entry, FileType type) {
			this.path = path;
			this.directory = directory;
			this.entry = entry;
			this.type = type;
		}

		@Override
		public WorkspacePath path() {
			return this.path;
		}

		@Override
		public FileType type() {
			return this.type;
		}

		@Override
		public @Nullable String mode() throws IOException {
			return EntryFacts.mode(this.entry.attributes());
		}

		@Override
		public @Nullable String target() throws IOException {
			if (this.type != FileType.LINK) {
				return null;
			}
			Path text = Files.readSymbolicLink(this.directory.path().resolve(this.entry.name()));
			return text.equals(text.getFileSystem().getPath(text.toString())) ? text.toString() : null;
		}

		@Override
		public String stamp() throws IOException {
			return this.entry.stamp();
		}

		@Override
		public long size() {
			return attributes().size();
		}

		@Override
		public Instant modified() {
			return attributes().lastModifiedTime().toInstant();
		}

		private BasicFileAttributes attributes() {
			try {
				return this.entry.attributes();
			}
			catch (IOException ex) {
				throw new LostFileException(ex);
			}
		}

		@Override
		public int read(byte[] buffer, long offset) throws IOException {
			if (this.closed) {
				throw new IllegalStateException("The visit of " + WorkspacePath.quote(this.path.relative())
						+ " is over: read it during the callback");
			}
			SeekableByteChannel open = this.channel;
			if (open == null) {
				open = this.entry.file();
				this.channel = open;
			}
			if (offset != this.position) {
				open.position(offset);
			}
			int count = ContentReader.fill(open, buffer, this.entry.attributes().size() - offset);
			this.position = offset + count;
			return (count == 0 && (buffer.length > 0 || offset >= open.size())) ? -1 : count;
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
