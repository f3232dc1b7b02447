package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The undo of one step. It does nothing if the step was not taken, or if the entry has
 * been changed since.
 *
 * @param kind the action
 * @param ref the entry to act on
 * @param identity the required identity of the entry, see {@link EntryRef#identity()}
 * @param original the identity of the original if the entry is a copy, else its own
 * @param home the target of a move back; null for the other kinds
 * @param displaced the identity of the entry at home that may be replaced
 */
record Undo(Kind kind, EntryRef ref, String identity, String original, @Nullable EntryRef home, String displaced) {

	static Undo moveBack(EntryRef ref, String identity, EntryRef home, String displaced) {
		return new Undo(Kind.BACK, ref, identity, identity, home, displaced);
	}

	/**
	 * Moves a copy to the place of its original.
	 */
	static Undo restore(EntryRef copy, String identity, String original, EntryRef home, String displaced) {
		return new Undo(Kind.BACK, copy, identity, original, home, displaced);
	}

	static Undo remove(EntryRef ref, String identity) {
		return new Undo(Kind.REMOVE, ref, identity, identity, null, EntryRef.NOTHING);
	}

	static Undo removeEmpty(EntryRef ref, String identity) {
		return new Undo(Kind.EMPTY, ref, identity, identity, null, EntryRef.NOTHING);
	}

	/**
	 * Adds the original if the entry is a copy.
	 */
	void collect(Map<String, String> originals) {
		if (!this.original.equals(this.identity)) {
			originals.put(this.identity, this.original);
		}
	}

	boolean isMoveBackFrom(EntryRef other) {
		return this.kind == Kind.BACK && this.ref.equals(other);
	}

	/**
	 * Returns whether an entry that was put aside could not be moved back because its
	 * name is taken.
	 */
	boolean isLastCopy() {
		if (this.kind != Kind.BACK || !this.displaced.equals(EntryRef.NOTHING)) {
			return false;
		}
		try {
			return TemporaryNames.is(this.ref.name()) && this.ref.find() != null;
		}
		catch (IOException ex) {
			return true;
		}
	}

	/**
	 * Undoes the step.
	 * @param originals the identities of originals by the identities of their copies; the
	 * latter replace them once they are moved back
	 */
	void run(Map<String, String> originals) throws IOException {
		BasicFileAttributes attributes = this.ref.find();
		if (attributes == null || !same(this.identity, EntryRef.identity(attributes), originals)) {
			return;
		}
		if (this.kind == Kind.BACK) {
			moveBack(originals);
		}
		else if (this.kind == Kind.REMOVE) {
			this.ref.remove();
			this.ref.directory().force();
		}
		else if (attributes.isDirectory()) {
			try {
				this.ref.directory().deleteDirectory(this.ref.name());
			}
			catch (DirectoryNotEmptyException ex) {
				// It is in use meanwhile.
			}
		}
	}

	private static boolean same(String expected, String present, Map<String, String> originals) {
		return original(expected, originals).equals(original(present, originals));
	}

	private static String original(String identity, Map<String, String> originals) {
		String original = identity;
		for (int i = 0; i < originals.size() && originals.containsKey(original); i++) {
			original = originals.get(original);
		}
		return original;
	}

	private void moveBack(Map<String, String> originals) throws IOException {
		if (this.home == null) {
			return;
		}
		String present = this.home.identity();
		if (present.equals(EntryRef.NOTHING) || same(this.displaced, present, originals)) {
			this.ref.moveTo(this.home);
			this.home.directory().force();
		}
	}

	/**
	 * The steps to undo, the last one first. For use by one thread.
	 */
	static final class Stack implements Iterable<Undo> {

		private final Deque<Undo> undos = new ArrayDeque<>();

		void add(Undo undo) {
			this.undos.push(undo);
		}

		boolean isEmpty() {
			return this.undos.isEmpty();
		}

		/**
		 * Returns whether an entry is to be moved back.
		 */
		boolean movesBack(EntryRef ref) {
			return this.undos.stream().anyMatch((undo) -> undo.isMoveBackFrom(ref));
		}

		/**
		 * Returns the identities of the originals by the identities of their copies.
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

	/**
	 * The action of an undo.
	 */
	enum Kind {

		/** Move the entry back. */
		BACK,

		/** Remove the entry with everything in it. */
		REMOVE,

		/** Remove the entry if it is an empty directory. */
		EMPTY

	}

}
