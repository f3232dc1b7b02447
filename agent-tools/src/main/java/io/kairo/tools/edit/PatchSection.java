package io.kairo.tools.edit;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The part of a patch that changes one file. Immutable.
 *
 * @param kind its kind
 * @param path the file
 * @param target the new path of the file, null if it stays
 * @param hunks its changes
 * @param named further paths in its headers
 */
record PatchSection(Kind kind, PatchPath path, @Nullable PatchPath target, List<Hunk> hunks, List<PatchPath> named) {

	/**
	 * Creates a section without further paths.
	 */
	PatchSection(Kind kind, PatchPath path, @Nullable PatchPath target, List<Hunk> hunks) {
		this(kind, path, target, hunks, List.of());
	}

	/**
	 * The kind of a section.
	 */
	enum Kind {

		/** Creates a file. */
		ADD,

		/** Changes or moves a file. */
		UPDATE,

		/** Deletes a file. */
		DELETE

	}

}
