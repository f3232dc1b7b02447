package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * How to take one step back, if it was taken, and if nobody else has changed anything
 * there since.
 *
 * @param kind what to do
 * @param spot what it is about
 * @param identity what must be there, see {@link Spot#identity()}
 * @param original the identity of what it is a copy of, else its own
 * @param home where a move leads back to; null for the other kinds
 * @param displaced what may be at home, and is replaced
 */
record Undo(Kind kind, Spot spot, String identity, String original, @Nullable Spot home, String displaced) {

	static Undo moveBack(Spot spot, String identity, Spot home, String displaced) {
		return new Undo(Kind.BACK, spot, identity, identity, home, displaced);
	}

	/**
	 * Moves a copy to where the original was.
	 */
	static Undo restore(Spot copy, String identity, String original, Spot home, String displaced) {
		return new Undo(Kind.BACK, copy, identity, original, home, displaced);
	}

	static Undo remove(Spot spot, String identity) {
		return new Undo(Kind.REMOVE, spot, identity, identity, null, Spot.NOTHING);
	}

	static Undo removeEmpty(Spot spot, String identity) {
		return new Undo(Kind.EMPTY, spot, identity, identity, null, Spot.NOTHING);
	}

	/**
	 * Adds what this copy is of, if it is one.
	 */
	void collect(Map<String, String> originals) {
		if (!this.original.equals(this.identity)) {
			originals.put(this.identity, this.original);
		}
	}

	boolean isMoveBackFrom(Spot other) {
		return this.kind == Kind.BACK && this.spot.equals(other);
	}

	/**
	 * Returns whether what was put aside could not be moved back, as somebody took its
	 * place.
	 */
	boolean isLastCopy() {
		if (this.kind != Kind.BACK || !this.displaced.equals(Spot.NOTHING)) {
			return false;
		}
		try {
			return TemporaryNames.is(this.spot.name()) && this.spot.find() != null;
		}
		catch (IOException ex) {
			return true;
		}
	}

	/**
	 * Takes the step back.
	 * @param originals the identities of what copies are of, which stand for theirs once
	 * they were moved back
	 */
	void run(Map<String, String> originals) throws IOException {
		BasicFileAttributes attributes = this.spot.find();
		if (attributes == null || !same(this.identity, Spot.identity(attributes), originals)) {
			return;
		}
		if (this.kind == Kind.BACK) {
			moveBack(originals);
		}
		else if (this.kind == Kind.REMOVE) {
			TreeRemoval.remove(this.spot);
			this.spot.directory().force();
		}
		else if (attributes.isDirectory()) {
			try {
				this.spot.directory().deleteDirectory(this.spot.name());
			}
			catch (DirectoryNotEmptyException ex) {
				// Somebody uses it by now.
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
		if (present.equals(Spot.NOTHING) || same(this.displaced, present, originals)) {
			this.spot.moveTo(this.home);
			this.home.directory().force();
		}
	}

	/**
	 * What to do.
	 */
	enum Kind {

		/** Move it back to where it was. */
		BACK,

		/** Remove it with all that is in it. */
		REMOVE,

		/** Remove it if it is an empty directory. */
		EMPTY

	}

}
