package io.kairo.workspace.git;

/**
 * The Git implementation that fetches, checks out and pushes. The results are the same.
 */
public enum GitClientKind {

	/** {@link #GIT} if it is installed, {@link #JGIT} otherwise. */
	AUTO,

	/** The program {@code git} of this machine. */
	GIT,

	/** Eclipse JGit, in this process: needs no installation, is slower, and lacks ssh. */
	JGIT

}
