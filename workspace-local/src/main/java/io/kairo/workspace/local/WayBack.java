package io.kairo.workspace.local;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * How to take back what was done, the last step first. For use by one thread.
 */
final class WayBack implements Iterable<Undo> {

	private final Deque<Undo> undos = new ArrayDeque<>();

	void add(Undo undo) {
		this.undos.push(undo);
	}

	boolean isEmpty() {
		return this.undos.isEmpty();
	}

	/**
	 * Returns whether what is at a spot is to be moved back.
	 */
	boolean leadsFrom(Spot spot) {
		return this.undos.stream().anyMatch((undo) -> undo.isMoveBackFrom(spot));
	}

	/**
	 * Returns what the copies are of, by their identities.
	 */
	Map<String, String> originals() {
		Map<String, String> originals = new HashMap<>();
		this.undos.forEach((undo) -> undo.collect(originals));
		return originals;
	}

	@Override
	public Iterator<Undo> iterator() {
		return this.undos.iterator();
	}

}
