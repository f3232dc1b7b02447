package io.kairo.workspace.local;

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
