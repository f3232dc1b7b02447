package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WorkspaceVisitor.Next;

/**
 * Visits what is below an open directory, the files of a directory before the directories
 * in it. A directory stays open while those in it are visited, so deeper ones than
 * {@link #MAX_DEPTH} are counted as unreadable.
 */
final class TreeWalk {

	static final int MAX_DEPTH = 256;

	private final EntryNames entryNames;

	private final HiddenDirectory hidden;

	private final WorkspaceVisitor visitor;

	private long files;

	private long directories;

	private long links;

	private long others;

	private long unreadable;

	private boolean stopped;

	TreeWalk(EntryNames entryNames, HiddenDirectory hidden, WorkspaceVisitor visitor) {
		this.entryNames = entryNames;
		this.hidden = hidden;
		this.visitor = visitor;
	}

	WalkReport walk(WorkspacePath path, OpenDirectory directory) {
		if (admits(path)) {
			visit(path, directory, 1);
		}
		return report();
	}

	WalkReport report() {
		return new WalkReport(this.files, this.directories, this.links, this.others, this.unreadable, this.stopped);
	}

	private boolean admits(WorkspacePath directory) {
		Next next = this.visitor.directory(directory);
		this.stopped |= (next == Next.STOP);
		return next == Next.CONTINUE;
	}

	private void visit(WorkspacePath path, OpenDirectory directory, int depth) {
		this.directories++;
		List<Path> below = new ArrayList<>();
		try {
			if (!visitFiles(path, directory, below)) {
				return;
			}
		}
		catch (DirectoryIteratorException ex) {
			this.unreadable++; // the rest of it
		}
		for (Path name : below) {
			WorkspacePath child = path.child(name.toString());
			if (admits(child)) {
				enter(child, directory, name, depth + 1);
			}
			if (this.stopped) {
				return;
			}
		}
	}

	private void enter(WorkspacePath path, OpenDirectory parent, Path name, int depth) {
		if (depth > MAX_DEPTH) {
			this.unreadable++;
			return;
		}
		OpenDirectory opened;
		try {
			opened = parent.directory(name);
		}
		catch (IOException ex) {
			this.unreadable++;
			return;
		}
		try (OpenDirectory directory = opened) {
			visit(path, directory, depth);
		}
		catch (IOException ex) {
			// It was read, and closing it has nothing to lose.
		}
	}

	/**
	 * Visits the files of a directory.
	 * @param below takes the names of the directories in it
	 * @return whether to go on with those
	 */
	private boolean visitFiles(WorkspacePath path, OpenDirectory directory, List<Path> below) {
		for (Iterator<Path> names = directory.names(); names.hasNext();) {
			Path name = names.next();
			WorkspacePath child = this.entryNames.child(path, name);
			if (child == null) {
				this.unreadable++;
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
					countUnvisited(attributes);
				}
			}
			catch (NoSuchFileException ex) {
				// It is gone by now.
			}
			catch (IOException ex) {
				this.unreadable++;
			}
		}
		return true;
	}

	private boolean visitFile(WalkedFile file) throws IOException {
		try (file) {
			Next next = this.visitor.file(file);
			this.files++;
			this.stopped |= (next == Next.STOP);
			return next == Next.CONTINUE;
		}
	}

	private void countUnvisited(BasicFileAttributes attributes) {
		if (attributes.isSymbolicLink()) {
			this.links++;
		}
		else {
			this.others++;
		}
	}

}
