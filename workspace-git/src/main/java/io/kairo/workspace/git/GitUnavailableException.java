package io.kairo.workspace.git;

/**
 * The program {@code git} is asked for and is not there.
 *
 * @since 0.1.0
 */
public class GitUnavailableException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 */
	public GitUnavailableException() {
		super("The program 'git' is asked for and cannot be run on this machine: install it, or use the client "
				+ "'auto' or 'jgit'");
	}

}
