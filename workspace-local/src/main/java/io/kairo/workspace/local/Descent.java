package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

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
		return to(confinement, start, Goal.EXISTING).place();
	}

	/**
	 * Goes to where a change is to happen. Creates nothing: what is missing is named by
	 * the slot.
	 * @param confinement what may be reached
	 * @param start where to start, and the names to go through
	 * @param goal what may be there
	 * @return what is there
	 * @throws RefusedException if it may not be reached
	 * @throws IOException if something was replaced on the way: trying again may help
	 */
	static Slot to(Confinement confinement, Start start, Goal goal) throws IOException, RefusedException {
		Descent descent = new Descent(confinement, start);
		Slot slot = null;
		try {
			slot = descent.run(goal);
			return slot;
		}
		finally {
			if (slot == null) {
				descent.current.close();
			}
		}
	}

	private Slot run(Goal goal) throws IOException, RefusedException {
		while (true) {
			Path given = next();
			if (given == null) {
				Path self = this.current.path().getFileSystem().getPath(".");
				return new Slot(this.current, List.of(), look(self));
			}
			if (given.toString().equals("..")) {
				leave();
				continue;
			}
			Path name = this.confinement.nameIn(this.current, given);
			if (goal != Goal.EXISTING && this.current.find(name) == null) {
				return new Slot(this.current, missing(name), null);
			}
			BasicFileAttributes attributes = look(name);
			if (attributes.isSymbolicLink() && !(goal == Goal.ENTRY && isLast())) {
				follow(this.current.linkText(name, attributes));
			}
			else if (isLast()) {
				return new Slot(this.current, List.of(name), attributes);
			}
			else if (attributes.isDirectory()) {
				enter(name);
			}
			else {
				throw RefusedException.fileAbove();
			}
		}
	}

	/**
	 * Returns the names from the first one that does not exist.
	 */
	private List<Path> missing(Path first) throws RefusedException {
		List<Path> names = new ArrayList<>(List.of(first));
		for (Path name = next(); name != null; name = next()) {
			if (name.toString().equals("..")) {
				throw RefusedException.notFound();
			}
			names.add(name);
		}
		return names;
	}

	private @Nullable Path next() {
		Path name = this.pending.poll();
		while (name != null && (isEnd(name) || name.toString().equals("."))) {
			name = this.pending.poll();
		}
		return name;
	}

	private boolean isLast() {
		return this.pending.stream().allMatch(this::isEnd);
	}

	private boolean isEnd(Path name) {
		return name.equals(this.end);
	}

	private BasicFileAttributes look(Path name) throws IOException, RefusedException {
		try {
			BasicFileAttributes attributes = this.current.attributes(name);
			if (TemporaryNames.is(name)
					|| this.confinement.hidden().is(this.current.path().resolve(name), attributes)) {
				throw RefusedException.notFound();
			}
			return attributes;
		}
		catch (NoSuchFileException ex) {
			throw RefusedException.notFound();
		}
	}

	private void enter(Path name) throws IOException {
		moveTo(this.current.directory(name));
		this.position.add(name);
	}

	/**
	 * Goes to the directory above, which is not what a handle of the operating system
	 * says it is, but the one this came through.
	 */
	private void leave() throws IOException, RefusedException {
		if (this.position.isEmpty()) {
			Path above = this.start.getParent();
			Path target = (above != null) ? above : this.start;
			while (!this.pending.isEmpty() && !isEnd(this.pending.element())) {
				target = target.resolve(this.pending.remove());
			}
			startAgain(reach(target));
			return;
		}
		this.position.remove(this.position.size() - 1);
		startAgain(new Start(this.start, this.position));
	}

	private void follow(Path text) throws IOException, RefusedException {
		this.links++;
		if (this.links > MAX_LINKS) {
			throw RefusedException.tooManyLinks(MAX_LINKS);
		}
		this.pending.push(this.end);
		if (text.isAbsolute()) {
			startAgain(reach(text));
		}
		else {
			pushAll(Start.names(text, 0));
		}
	}

	/**
	 * Finds the way to what a link points to: by its text, or else by what the text means
	 * to the operating system.
	 */
	private Start reach(Path target) throws RefusedException {
		Start reached = this.confinement.roots().start(target);
		if (reached == null) {
			Path real = RealPaths.find(target);
			reached = (real != null) ? this.confinement.roots().start(real) : null;
		}
		if (reached == null) {
			throw RefusedException.leadsOut();
		}
		return reached;
	}

	private void startAgain(Start from) throws IOException, RefusedException {
		moveTo(open(from.directory()));
		this.start = from.directory();
		this.position.clear();
		pushAll(from.names());
	}

	private void moveTo(OpenDirectory next) throws IOException {
		OpenDirectory previous = this.current;
		this.current = next;
		previous.close();
	}

	private OpenDirectory open(Path directory) throws IOException, RefusedException {
		try {
			return this.confinement.opener().open(directory);
		}
		catch (NoSuchFileException ex) {
			throw RefusedException.notFound();
		}
		catch (NotDirectoryException ex) {
			throw RefusedException.notADirectory();
		}
		catch (LinkedRootException ex) {
			throw RefusedException.linkedRoot();
		}
	}

	private void pushAll(List<Path> names) {
		for (int i = names.size() - 1; i >= 0; i--) {
			this.pending.push(names.get(i));
		}
	}

	/**
	 * What a descent is to find.
	 */
	enum Goal {

		/** Something that exists; a link is followed. */
		EXISTING,

		/**
		 * Something that may be missing, with directories above it; a link is followed.
		 */
		TARGET,

		/** As {@link #TARGET}, but a link is found itself. */
		ENTRY

	}

}
