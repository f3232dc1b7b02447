package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.host.OwnerOnly;
import io.kairo.api.workspace.WorkspaceErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Fills a new directory, which nobody else uses yet, with what is in another one: from
 * the calling thread and, where there is much to do, a few others.
 */
final class TreeFill {

	/** From this many waiting directories on it is worth while to start a thread. */
	private static final int MANY = 4;

	/** How deep the source goes, which is the first directory. */
	private static final int MAX_DEPTH = PathSyntax.MAX_NAMES;

	private final Path target;

	private final String shown;

	private final CopyMeter meter;

	private final OpenDirectory source;

	private final FileCopy files;

	private final WalkQueue<Task> queue = new WalkQueue<>();

	private final WalkCrew crew = new WalkCrew(this::work);

	/** What directories get when nothing is made in them any more. */
	private final Queue<Finish> finishes = new ConcurrentLinkedQueue<>();

	private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

	TreeFill(OpenDirectory source, Path target, String shown, CopyBounds bounds) {
		this.source = source;
		this.target = target;
		this.shown = shown;
		this.meter = new CopyMeter(bounds);
		this.files = new FileCopy(CloneCommand.between(source.path(), target));
	}

	CopiedTree fill() {
		SharedDirectory shared = new SharedDirectory(this.source);
		shared.retain(1); // closed by the caller
		try {
			enter(new Task(shared, Path.of(""), this.target, "", 1), shared);
		}
		catch (RefusedException ex) {
			fail(ex);
		}
		work();
		this.crew.join();
		try {
			rethrow();
			finishDirectories();
			return this.meter.total(this.files.way());
		}
		catch (RefusedException ex) {
			return ex.<CopiedTree>toFailure(this.shown).value();
		}
	}

	private void finishDirectories() throws RefusedException {
		List<Finish> deepestFirst = new ArrayList<>(this.finishes);
		deepestFirst.sort(Comparator.comparingInt(Finish::depth).reversed());
		try {
			for (Finish finish : deepestFirst) {
				FileCopy.assume(finish.target(), finish.attributes());
			}
		}
		catch (IOException ex) {
			throw RefusedException.notWritten(ex);
		}
	}

	private void rethrow() throws RefusedException {
		Throwable thrown = this.failure.get();
		if (thrown instanceof RefusedException refused) {
			throw refused;
		}
		if (thrown instanceof Error error) {
			throw error;
		}
		if (thrown instanceof RuntimeException exception) {
			throw exception;
		}
	}

	private void fail(Throwable thrown) {
		this.failure.compareAndSet(null, thrown);
		this.queue.end().forEach((left) -> left.parent().release());
	}

	/**
	 * Copies directories until there are none left.
	 */
	private void work() {
		for (Task task = this.queue.take(); task != null; task = this.queue.take()) {
			try {
				enter(task);
			}
			catch (RefusedException | RuntimeException | Error ex) {
				fail(ex);
			}
			finally {
				task.parent().release();
				if (this.failure.get() != null) {
					this.queue.end().forEach((left) -> left.parent().release());
				}
				this.queue.done();
			}
		}
	}

	private void enter(Task task) throws RefusedException {
		if (task.depth() > MAX_DEPTH) {
			throw RefusedException.of(WorkspaceErrorCode.TOO_LARGE,
					"is more than " + MAX_DEPTH + " directories deep: copy a directory that is not");
		}
		SharedDirectory shared;
		try {
			shared = new SharedDirectory(task.parent().directory().directory(task.name()));
		}
		catch (NoSuchFileException ex) {
			return; // gone by now
		}
		catch (IOException ex) {
			throw unreadable(task.path(), ex);
		}
		enter(task, shared);
	}

	private void enter(Task task, SharedDirectory shared) throws RefusedException {
		List<Task> below = new ArrayList<>();
		try {
			for (Path name : names(task, shared.directory())) {
				copy(task, shared, name, below);
			}
			shared.retain(below.size());
			if (this.queue.add(below) > MANY) {
				this.crew.hire();
			}
		}
		finally {
			shared.release();
		}
	}

	private static List<Path> names(Task task, OpenDirectory directory) throws RefusedException {
		try {
			return TreeRemoval.names(directory);
		}
		catch (IOException ex) {
			throw unreadable(task.path(), ex);
		}
	}

	private void copy(Task task, SharedDirectory shared, Path name, List<Task> below) throws RefusedException {
		OpenDirectory source = shared.directory();
		Path copied = task.target().resolve(name);
		String path = task.path() + "/" + name;
		BasicFileAttributes attributes = find(source, name, path);
		if (attributes == null) {
			return;
		}
		if (attributes.isDirectory()) {
			this.meter.add(0);
			try {
				Files.createDirectory(copied, OwnerOnly.directory(copied));
			}
			catch (IOException ex) {
				throw RefusedException.notWritten(ex);
			}
			below.add(new Task(shared, name, copied, path, task.depth() + 1));
			this.finishes.add(new Finish(copied, attributes, task.depth()));
		}
		else if (attributes.isRegularFile()) {
			this.meter.add(attributes.size());
			this.files.copy(source, name, path, attributes, copied);
		}
		else if (attributes.isSymbolicLink()) {
			this.meter.add(0);
			copyLink(source, name, path, attributes, copied);
		}
		else {
			this.meter.skip();
		}
	}

	private static @Nullable BasicFileAttributes find(OpenDirectory source, Path name, String path)
			throws RefusedException {
		try {
			return source.find(name);
		}
		catch (IOException ex) {
			throw unreadable(path, ex);
		}
	}

	private static void copyLink(OpenDirectory source, Path name, String path, BasicFileAttributes attributes,
			Path copied) throws RefusedException {
		Path text;
		try {
			text = source.linkText(name, attributes);
		}
		catch (NoSuchFileException ex) {
			return; // gone by now
		}
		catch (IOException ex) {
			throw unreadable(path, ex);
		}
		try {
			Files.createSymbolicLink(copied, text);
		}
		catch (IOException ex) {
			throw RefusedException.notWritten(ex);
		}
	}

	private static RefusedException unreadable(String path, IOException cause) {
		return FileCopy.unreadable(path, cause);
	}

	/**
	 * A directory to copy.
	 *
	 * @param parent the directory it is in
	 * @param name its name there
	 * @param target its copy, which is there already
	 * @param path how it is called in a message
	 * @param depth how deep it is, the first one being 1
	 */
	private record Task(SharedDirectory parent, Path name, Path target, String path, int depth) {

	}

	/**
	 * A directory that was copied.
	 */
	private record Finish(Path target, BasicFileAttributes attributes, int depth) {

	}

}
