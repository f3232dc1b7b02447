package io.kairo.workspace.local.disk.tree;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.kairo.host.OwnerOnly;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.workspace.local.disk.RefusedException;
import io.kairo.workspace.local.disk.WalkWorkers;
import io.kairo.workspace.local.disk.handle.AbandonableTask;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.handle.RacedException;
import io.kairo.workspace.local.disk.handle.SharedDirectory;
import io.kairo.workspace.local.path.PathSyntax;
import org.jspecify.annotations.Nullable;

/**
 * Fills a new directory that is not in use yet with the content of another one: in a
 * thread of its own and, for large trees, in a few more.
 */
final class TreeFill {

	/** Maximum number of waiting directories before another thread pays off. */
	private static final int MANY = 4;

	/** Maximum depth of a directory, where the source has depth 1. */
	private static final int MAX_DEPTH = PathSyntax.MAX_NAMES;

	private final Path target;

	private final String shown;

	private final OwnedTree.CopyBounds bounds;

	private final AtomicLong copiedFiles = new AtomicLong();

	private final AtomicLong copiedBytes = new AtomicLong();

	private final AtomicLong skipped = new AtomicLong();

	private final OpenDirectory source;

	private final FileCopy files;

	/** Receives what may not be read, null to fail instead. */
	private final @Nullable Consumer<String> leftOut;

	private final WalkWorkers<Task, RefusedException> workers;

	/** Attributes to be given to directories once they are complete. */
	private final Queue<Finish> finishes = new ConcurrentLinkedQueue<>();

	TreeFill(OpenDirectory source, Path target, String shown, OwnedTree.CopyBounds bounds,
			@Nullable Consumer<String> leftOut, Consumer<AbandonableTask> threads) {
		this.workers = new WalkWorkers<>(threads, this::enter, TreeFill::lose, MANY);
		this.source = source;
		this.target = target;
		this.shown = shown;
		this.bounds = bounds;
		this.leftOut = leftOut;
		this.files = new FileCopy(CloneCommand.between(source.path(), target));
	}

	OwnedTree.CopiedTree fill() {
		SharedDirectory<OpenDirectory> shared = new SharedDirectory<>(this.source);
		shared.retain(1); // closed by the caller
		try {
			this.workers.add(List.of(new Task(shared, null, null, this.target, "", 1)));
			this.workers.run(() -> {
			});
			finishDirectories();
			return new OwnedTree.CopiedTree(this.copiedFiles.get(), this.copiedBytes.get(), this.skipped.get(),
					this.files.method());
		}
		catch (RefusedException ex) {
			return ex.<OwnedTree.CopiedTree>toFailure(this.shown).value();
		}
	}

	/**
	 * Counts entries and bytes before they are copied.
	 * @throws RefusedException if the bounds are exceeded
	 */
	private void count(int entries, long bytes) throws RefusedException {
		if (this.copiedFiles.addAndGet(entries) > this.bounds.files()
				|| this.copiedBytes.addAndGet(bytes) > this.bounds.bytes()) {
			throw RefusedException.of(WorkspaceErrorCode.TOO_LARGE,
					"holds more than the " + this.bounds.files() + " files or " + this.bounds.bytes()
							+ " bytes that are copied at most: make it smaller, or let the operator allow more");
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

	private static void lose(Task task) throws RefusedException {
		throw unreadable(task.path(), new RacedException());
	}

	private void enter(Task task) throws RefusedException {
		if (task.name() == null) {
			task.parent().retain(1);
			enter(task, task.parent());
			return;
		}
		if (task.depth() > MAX_DEPTH) {
			throw RefusedException.of(WorkspaceErrorCode.TOO_LARGE,
					"is more than " + MAX_DEPTH + " directories deep: copy a directory that is not");
		}
		SharedDirectory<OpenDirectory> shared;
		try {
			shared = new SharedDirectory<>(task.parent().directory().directory(task.name()));
		}
		catch (NoSuchFileException ex) {
			return; // gone meanwhile
		}
		catch (IOException ex) {
			leaveOut(task.path(), ex);
			return;
		}
		enter(task, shared);
	}

	private void enter(Task task, SharedDirectory<OpenDirectory> shared) throws RefusedException {
		List<Task> below = new ArrayList<>();
		try {
			List<Path> names = names(task, shared.directory());
			if (names == null) {
				return;
			}
			create(task);
			for (Path name : names) {
				copy(task, shared, name, below);
			}
			shared.retain(below.size());
			this.workers.add(below);
		}
		finally {
			shared.release();
		}
	}

	/**
	 * Returns the names in a directory, null if it is left out.
	 */
	private @Nullable List<Path> names(Task task, OpenDirectory directory) throws RefusedException {
		try {
			return directory.list();
		}
		catch (IOException ex) {
			leaveOut(task.path(), ex);
			return null;
		}
	}

	private void create(Task task) throws RefusedException {
		if (task.attributes() != null) {
			try {
				Files.createDirectory(task.target(), OwnerOnly.directory(task.target()));
			}
			catch (IOException ex) {
				throw RefusedException.notWritten(ex);
			}
			this.finishes.add(new Finish(task.target(), task.attributes(), task.depth()));
		}
	}

	/**
	 * Leaves out an entry that may not be read.
	 * @throws RefusedException if it cannot be read for another reason
	 */
	private void leaveOut(String path, IOException cause) throws RefusedException {
		if (this.leftOut == null || path.isEmpty() || !(cause instanceof AccessDeniedException)) {
			throw unreadable(path, cause);
		}
		this.leftOut.accept(path.substring(1));
	}

	private void copy(Task task, SharedDirectory<OpenDirectory> shared, Path name, List<Task> below)
			throws RefusedException {
		OpenDirectory source = shared.directory();
		Path copied = task.target().resolve(name);
		String path = task.path() + "/" + name;
		BasicFileAttributes attributes = find(source, name, path);
		if (attributes == null) {
			return;
		}
		if (attributes.isDirectory()) {
			count(1, 0);
			below.add(new Task(shared, name, attributes, copied, path, task.depth() + 1));
		}
		else if (attributes.isRegularFile()) {
			count(1, 0);
			copyFile(source, name, path, attributes, copied);
		}
		else if (attributes.isSymbolicLink()) {
			count(1, 0);
			copyLink(source, name, path, attributes, copied);
		}
		else {
			this.skipped.incrementAndGet();
		}
	}

	private @Nullable BasicFileAttributes find(OpenDirectory source, Path name, String path) throws RefusedException {
		try {
			return source.find(name);
		}
		catch (IOException ex) {
			leaveOut(path, ex);
			return null;
		}
	}

	private void copyFile(OpenDirectory source, Path name, String path, BasicFileAttributes attributes, Path copied)
			throws RefusedException {
		SeekableByteChannel opened;
		try {
			opened = source.file(name);
		}
		catch (NoSuchFileException ex) {
			return; // gone meanwhile
		}
		catch (IOException ex) {
			leaveOut(path, ex);
			return;
		}
		try (SeekableByteChannel in = opened) {
			count(0, attributes.size());
			this.files.write((FileChannel) in, attributes, copied);
		}
		catch (IOException ex) {
			throw RefusedException.notWritten(ex);
		}
	}

	private static void copyLink(OpenDirectory source, Path name, String path, BasicFileAttributes attributes,
			Path copied) throws RefusedException {
		Path text;
		try {
			text = source.linkText(name, attributes);
		}
		catch (NoSuchFileException ex) {
			return; // gone meanwhile
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
	 * @param parent the directory above
	 * @param name its name there, null for the directory itself
	 * @param attributes its attributes, null for the directory itself
	 * @param target its copy; for the directory itself, it exists already
	 * @param path its name in messages
	 * @param depth its depth, 1 for the source
	 */
	private record Task(SharedDirectory<OpenDirectory> parent, @Nullable Path name,
			@Nullable BasicFileAttributes attributes, Path target, String path, int depth) implements WalkWorkers.Task {

	}

	/**
	 * The attributes for a copied directory.
	 */
	private record Finish(Path target, BasicFileAttributes attributes, int depth) {

	}

}
