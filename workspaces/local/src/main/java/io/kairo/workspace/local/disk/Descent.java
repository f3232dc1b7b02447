package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.RealPaths;
import io.kairo.workspace.local.disk.handle.LinkedRootException;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.path.Route;
import org.jspecify.annotations.Nullable;

/**
 * Descends from a root to a path, directory by directory, each opened in the previous one
 * without following links. The text of a link replaces the link and is descended in the
 * same way, so that swapping a directory or a link at any time cannot lead out of the
 * roots. At most two directories are open at a time.
 */
final class Descent {

	static final int MAX_LINKS = 40;

	private final Confinement confinement;

	private final RemainingNames ahead;

	/** The current position below the start, without links. */
	private final List<Path> position = new ArrayList<>();

	private Path start;

	private OpenDirectory current;

	private int links;

	private Descent(Confinement confinement, Route start) throws IOException, RefusedException {
		this.confinement = confinement;
		this.start = start.directory();
		this.ahead = new RemainingNames(start.directory().getRoot());
		this.current = open(start.directory());
		this.ahead.push(start.names());
	}

	/**
	 * Descends to an existing entry. If it is a link, to its target.
	 * @param confinement the limits of the descent
	 * @param start the directory to start in and the names to descend
	 * @return the entry, to be closed by the caller
	 * @throws RefusedException if there is no entry, or it may not be reached
	 * @throws IOException if a directory was replaced on the way: a retry may succeed
	 */
	static ExistingEntry to(Confinement confinement, Route start) throws IOException, RefusedException {
		return to(confinement, start, Goal.EXISTING).existing();
	}

	/**
	 * Descends to an entry. Nothing is created: the result has the names that are
	 * missing.
	 * @param confinement the limits of the descent
	 * @param start the directory to start in and the names to descend
	 * @param goal the kind of entry to find
	 * @return the result, to be closed by the caller
	 * @throws RefusedException if it may not be reached
	 * @throws IOException if a directory was replaced on the way: a retry may succeed
	 */
	static DescentResult to(Confinement confinement, Route start, Goal goal) throws IOException, RefusedException {
		Descent descent = new Descent(confinement, start);
		DescentResult result = null;
		try {
			result = descent.run(goal);
			return result;
		}
		finally {
			if (result == null) {
				descent.current.close();
			}
		}
	}

	private DescentResult run(Goal goal) throws IOException, RefusedException {
		while (true) {
			Path given = this.ahead.next();
			if (given == null) {
				Path self = this.current.path().getFileSystem().getPath(".");
				return new DescentResult(this.current, List.of(), look(self));
			}
			if (given.toString().equals("..")) {
				leave();
				continue;
			}
			Path name = nameOnDisk(given);
			if (goal != Goal.EXISTING && this.current.find(name) == null) {
				return new DescentResult(this.current, missing(name), null);
			}
			BasicFileAttributes attributes = look(name);
			if (goal == Goal.EXISTING && MountPoints.is(this.current, name, attributes)) {
				throw RefusedException.notFound();
			}
			if (attributes.isSymbolicLink() && !(goal == Goal.ENTRY && this.ahead.isLast())) {
				follow(this.current.linkText(name, attributes));
			}
			else if (this.ahead.isLast()) {
				return new DescentResult(this.current, List.of(name), attributes);
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
	 * Returns the name of the entry that a name denotes, or the given name if there is no
	 * such entry.
	 */
	private Path nameOnDisk(Path given) throws IOException, RefusedException {
		return (this.confinement.matching() == NameMatching.CASE_INSENSITIVE)
				? FoldedNames.find(this.current, given, this.confinement.hidden()) : given;
	}

	/**
	 * Returns the names from the first missing one.
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
	 * Goes back to the directory above: the directory that this one was entered from, not
	 * the parent that a handle of the operating system reports.
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
	 * Finds the route to the target of a link: by its text, or else by the real path of
	 * the text.
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
