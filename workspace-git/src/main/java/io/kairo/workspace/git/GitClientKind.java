package io.kairo.workspace.git;

/**
 * Which program fetches, checks out and pushes. What comes of it is the same.
 *
 * @since 0.1.0
 */
public enum GitClientKind {

	/** {@link #GIT} where it is installed, else {@link #JGIT}. */
	AUTO,

	/** The program {@code git} of this machine. */
	GIT,

	/** Eclipse JGit, in this process: needs nothing, is slower, and knows no ssh. */
	JGIT

}
