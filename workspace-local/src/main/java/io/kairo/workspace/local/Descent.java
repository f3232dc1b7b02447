package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Goes to a path from its root, one directory after the other, each opened in the one
 * before without following links. The text of a link takes the place of the link and is
 * gone through in the same way, so that no swap of a directory or a link, at whatever
 * time, leads out. At most two directories are open at a time.
 */
final class Descent {

	static final int MAX_LINKS = 40;

	private final Confinement confinement;

	/** What is still to be gone through; the text of a link ends with {@link #end}. */
	private final Deque<Path> pending = new ArrayDeque<>();

	/** Where this is below the start, without links. */
	private final List<Path> position = new ArrayList<>();

	private final Path end;

	private Path start;

	private OpenDirectory current;

	private int links;

	private Descent(Confinement confinement, Start start) throws IOException, RefusedException {
		this.confinement = confinement;
		this.start = start.directory();
		this.end = start.directory().getRoot();
		this.current = open(start.directory());
		pushAll(start.names());
	}

	/**
	 * Goes to what is at a path, or where the link that is there points to.
	 * @param confinement what may be reached
	 * @param start where to start, and the names to go through
	 * @return what is there
	 * @throws RefusedException if there is nothing, or it may not be reached
	 * @throws IOException if something was replaced on the way: trying again may help
	 */
	static Place to(Confinement confinement, Start start) throws IOException, RefusedException {
		Descent descent = new Descent(confinement, start);
		Place place = null;
		try {
			place = descent.run();
			return place;
		}
		finally {
			if (place == null) {
				descent.current.close();
			}
		}
	}

	private Place run() throws IOException, RefusedException {
		while (true) {
			Path name = next();
			if (name == null) {
				Path self = this.current.path().getFileSystem().getPath(".");
				return new Place(this.current, null, look(self));
			}
			if (name.toString().equals("..")) {
				leave();
				continue;
			}
			BasicFileAttributes attributes = look(name);
			if (attributes.isSymbolicLink()) {
				follow(this.current.linkText(name, attributes));
			}
			else if (isLast()) {
				return new Place(this.current, name, attributes);
			}
			else if (attributes.isDirectory()) {
				enter(name);
			}
			else {
				throw RefusedException.fileAbove();
			}
		}
	}

}
