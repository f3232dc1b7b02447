package io.kairo.workspace.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

import io.kairo.workspace.disk.handle.LinkedRootException;
import io.kairo.workspace.disk.handle.OpenDirectory;
import io.kairo.workspace.local.RealPaths;
import io.kairo.workspace.path.Route;

/**
 * Goes to a path from its root, one directory after the other, each opened in the one
 * before without following links. The text of a link takes the place of the link and is
 * gone through in the same way, so that no swap of a directory or a link, at whatever
 * time, leads out. At most two directories are open at a time.
 */
final class Descent {

	static final int MAX_LINKS = 40;

	private final Confinement confinement;

	private final NamesAhead ahead;

	/** Where this is below the start, without links. */
	private final List<Path> position = new ArrayList<>();

	private Path start;

	private OpenDirectory current;

	private int links;

	private Descent(Confinement confinement, Route start) throws IOException, RefusedException {
		this.confinement = confinement;
		this.start = start.directory();
		this.ahead = new NamesAhead(start.directory().getRoot());
		this.current = open(start.directory());
		this.ahead.push(start.names());
	}

	/**
	 * Goes to what is at a path, or where the link that is there points to.
	 * @param confinement what may be reached
	 * @param start where to start, and the names to go through
	 * @return what is there
	 * @throws RefusedException if there is nothing, or it may not be reached
	 * @throws IOException if something was replaced on the way: trying again may help
	 */
	static ExistingEntry to(Confinement confinement, Route start) throws IOException, RefusedException {
		return to(confinement, start, Goal.EXISTING).existing();
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
	static WriteTarget to(Confinement confinement, Route start, Goal goal) throws IOException, RefusedException {
		Descent descent = new Descent(confinement, start);
		WriteTarget target = null;
		try {
			target = descent.run(goal);
			return target;
		}
		finally {
			if (target == null) {
				descent.current.close();
			}
		}
	}

	private WriteTarget run(Goal goal) throws IOException, RefusedException {
		while (true) {
			Path given = this.ahead.next();
			if (given == null) {
				Path self = this.current.path().getFileSystem().getPath(".");
				return new WriteTarget(this.current, List.of(), look(self));
			}
			if (given.toString().equals("..")) {
				leave();
				continue;
			}
			Path name = this.confinement.nameIn(this.current, given);
			if (goal != Goal.EXISTING && this.current.find(name) == null) {
				return new WriteTarget(this.current, missing(name), null);
			}
			BasicFileAttributes attributes = look(name);
			if (attributes.isSymbolicLink() && !(goal == Goal.ENTRY && this.ahead.isLast())) {
				follow(this.current.linkText(name, attributes));
			}
			else if (this.ahead.isLast()) {
				return new WriteTarget(this.current, List.of(name), attributes);
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
		for (Path name = this.ahead.next(); name != null; name = this.ahead.next()) {
			if (name.toString().equals("..")) {
				throw RefusedException.notFound();
			}
			names.add(name);
		}
		return names;
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
			for (Path name : this.ahead.takeRestOfText()) {
				target = target.resolve(name);
			}
			startAgain(reach(target));
			return;
		}
		this.position.remove(this.position.size() - 1);
		startAgain(new Route(this.start, this.position));
	}

	private void follow(Path text) throws IOException, RefusedException {
		this.links++;
		if (this.links > MAX_LINKS) {
			throw RefusedException.tooManyLinks(MAX_LINKS);
		}
		this.ahead.startText();
		if (text.isAbsolute()) {
			startAgain(reach(text));
		}
		else {
			this.ahead.push(Route.names(text, 0));
		}
	}

	/**
	 * Finds the way to what a link points to: by its text, or else by what the text means
	 * to the operating system.
	 */
	private Route reach(Path target) throws RefusedException {
		Route reached = this.confinement.roots().route(target);
		if (reached == null) {
			Path real = RealPaths.find(target);
			reached = (real != null) ? this.confinement.roots().route(real) : null;
		}
		if (reached == null) {
			throw RefusedException.leadsOut();
		}
		return reached;
	}

	private void startAgain(Route from) throws IOException, RefusedException {
		moveTo(open(from.directory()));
		this.start = from.directory();
		this.position.clear();
		this.ahead.push(from.names());
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

	/**
	 * The kind of entry that a descent finds.
	 */
	enum Goal {

		/** An entry that exists; a link is followed. */
		EXISTING,

		/**
		 * An entry that may be missing, and so may directories above it; a link is
		 * followed.
		 */
		TARGET,

		/** As {@link #TARGET}, but a link is itself the entry. */
		ENTRY

	}

}
