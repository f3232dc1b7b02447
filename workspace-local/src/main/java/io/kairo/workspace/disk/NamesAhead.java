package io.kairo.workspace.disk;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The names that a descent has still to go through: what was asked for, and before that
 * the texts of links that were met, each of which ends somewhere. For use by one thread.
 */
final class NamesAhead {

	private final Deque<Path> names = new ArrayDeque<>();

	/** Stands where the text of a link ends; no name is equal to it. */
	private final Path end;

	/**
	 * Creates names, none at first.
	 * @param root a root of the file system, which is no name
	 */
	NamesAhead(Path root) {
		this.end = root;
	}

	/**
	 * Says that the names pushed next are those of a link.
	 */
	void startText() {
		this.names.push(this.end);
	}

	/**
	 * Puts names before all others.
	 */
	void push(List<Path> first) {
		for (int i = first.size() - 1; i >= 0; i--) {
			this.names.push(first.get(i));
		}
	}

	/**
	 * Takes the next name that leads anywhere.
	 * @return null if there is none
	 */
	@Nullable Path next() {
		Path name = this.names.poll();
		while (name != null && (isEnd(name) || name.toString().equals("."))) {
			name = this.names.poll();
		}
		return name;
	}

	/**
	 * Returns whether there are no more names.
	 */
	boolean isLast() {
		return this.names.stream().allMatch(this::isEnd);
	}

	/**
	 * Takes the names up to the end of the text that the last one was in.
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
