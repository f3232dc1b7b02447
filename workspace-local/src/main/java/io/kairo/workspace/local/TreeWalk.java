package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WorkspaceVisitor.Next;
import org.jspecify.annotations.Nullable;

/**
 * Visits what is below an open directory, the files of a directory before the directories
 * in it, from the calling thread and, where there is much to do, a few others. A
 * directory stays open until those in it are opened; deeper ones than {@link #MAX_DEPTH}
 * are counted as unreadable.
 */
final class TreeWalk {

	/** A root, and as many names below it as a path has. */
	static final int MAX_DEPTH = 1 + PathSyntax.MAX_NAMES;

	/** From this many waiting directories on it is worth while to start a thread. */
	private static final int MANY = 16;

	private final EntryNames entryNames;

	private final HiddenDirectory hidden;

	private final WorkspaceVisitor visitor;

	private final WalkQueue<Task> queue = new WalkQueue<>();

	private final WalkCrew crew = new WalkCrew(this::work);

	private final WalkCounts counts = new WalkCounts();

	private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

	private volatile boolean stopped;

	TreeWalk(EntryNames entryNames, HiddenDirectory hidden, WorkspaceVisitor visitor) {
		this.entryNames = entryNames;
		this.hidden = hidden;
		this.visitor = visitor;
	}

	WalkReport walk(WorkspacePath path, OpenDirectory directory) {
		if (admits(path)) {
			SharedDirectory shared = new SharedDirectory(directory);
			try {
				visit(path, shared, 1);
			}
			finally {
				shared.release();
			}
			if (this.stopped) {
				this.queue.end().forEach((left) -> left.parent().release());
			}
			work();
			this.crew.join();
			rethrow();
		}
		return report();
	}

	private void rethrow() {
		Throwable thrown = this.failure.get();
		if (thrown instanceof Error error) {
			throw error;
		}
		if (thrown instanceof RuntimeException exception) {
			throw exception;
		}
	}

	WalkReport report() {
		return this.counts.report(this.stopped);
	}

	private boolean admits(WorkspacePath directory) {
		Next next = this.visitor.directory(directory);
		stopIf(next == Next.STOP);
		return next == Next.CONTINUE;
	}

	private void stopIf(boolean stop) {
		if (stop) {
			this.stopped = true;
		}
	}

	/**
	 * Goes into directories until there are none left.
	 */
	private void work() {
		for (Task task = this.queue.take(); task != null; task = this.queue.take()) {
			try {
				if (admits(task.path())) {
					enter(task);
				}
			}
			catch (RuntimeException | Error ex) {
				this.failure.compareAndSet(null, ex);
				this.stopped = true;
			}
			finally {
				task.parent().release();
				if (this.stopped) {
					this.queue.end().forEach((left) -> left.parent().release());
				}
				this.queue.done();
			}
		}
	}

	private void enter(Task task) {
		if (task.depth() > MAX_DEPTH) {
			this.counts.addUnreadable();
			return;
		}
		OpenDirectory opened;
		try {
			opened = task.parent().directory().directory(task.name());
		}
		catch (IOException ex) {
			this.counts.addUnreadable();
			return;
		}
		SharedDirectory shared = new SharedDirectory(opened);
		try {
			visit(task.path(), shared, task.depth());
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
		int waiting = this.queue
			.add(below.stream().map((name) -> new Task(shared, name, path.child(name.toString()), depth + 1)).toList());
		if (waiting > MANY) {
			this.crew.hire();
		}
	}

	/**
	 * Visits the files of a directory.
	 * @param below takes the names of the directories in it
	 * @return whether to go on with those
	 */
	private boolean visitFiles(WorkspacePath path, OpenDirectory directory, List<Path> below) {
		for (Iterator<Path> names = directory.names(); names.hasNext() && !this.stopped;) {
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
					if (!this.hidden.is(directory.path().resolve(name), attributes)) {
						below.add(name);
					}
				}
				else if (attributes.isRegularFile()) {
					if (!visitFile(new WalkedFile(child, directory, name, attributes))) {
						return false;
					}
				}
				else {
					this.counts.addUnvisited(attributes);
				}
			}
			catch (NoSuchFileException ex) {
				// It is gone by now.
			}
			catch (IOException ex) {
				this.counts.addUnreadable();
			}
		}
		return true;
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
	 * A directory to go into.
	 *
	 * @param parent the directory it is in
	 * @param name its name there
	 * @param path its path
	 * @param depth how deep it is, the first one being 1
	 */
	private record Task(SharedDirectory parent, Path name, WorkspacePath path, int depth) {

	}

}
