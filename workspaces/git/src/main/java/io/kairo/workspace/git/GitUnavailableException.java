package io.kairo.workspace.git;

/**
 * Thrown when the program {@code git} is required but cannot be run.
 */
public class GitUnavailableException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 */
	public GitUnavailableException() {
		super("The program 'git' is required but cannot be run on this machine: install it, or use the client "
				+ "'auto' or 'jgit'");
	}

}
