package io.kairo.workspace.local.disk;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The names that a descent has still to pass: the names of the requested path, preceded
 * by the names of the links found on the way. The end of each link is marked. For use by
 * one thread.
 */
final class RemainingNames {

	private final Deque<Path> names = new ArrayDeque<>();

	/** Marks the end of the text of a link; no name is equal to it. */
	private final Path end;

	/**
	 * Creates an empty sequence.
	 * @param root a root of the file system; it is not a name
	 */
	RemainingNames(Path root) {
		this.end = root;
	}

	/**
	 * Announces that the names pushed next belong to a link.
	 */
	void startText() {
		this.names.push(this.end);
	}

	/**
	 * Puts names in front of all others.
	 */
	void push(List<Path> first) {
		for (int i = first.size() - 1; i >= 0; i--) {
			this.names.push(first.get(i));
		}
	}

	/**
	 * Removes the next name other than {@code .}.
	 * @return the name, null if none is left
	 */
	@Nullable Path next() {
		Path name = this.names.poll();
		while (name != null && (isEnd(name) || name.toString().equals("."))) {
			name = this.names.poll();
		}
		return name;
	}

	/**
	 * Returns whether no name is left.
	 */
	boolean isLast() {
		return this.names.stream().allMatch(this::isEnd);
	}

	/**
	 * Removes the remaining names of the text that contained the previous name.
	 */
	List<Path> takeRestOfText() {
		List<Path> rest = new ArrayList<>();
		while (!this.names.isEmpty() && !isEnd(this.names.element())) {
			rest.add(this.names.remove());
		}
		return rest;
	}

	private boolean isEnd(Path name) {
		return name.equals(this.end);
	}

}
