package io.kairo.workspace.search;

/**
 * Thrown for an invalid pattern, glob or file type. The message states the problem, its
 * position and the remedy.
 */
public class SearchPatternException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message the problem with the value, its position and the remedy
	 */
	public SearchPatternException(String message) {
		super(message);
	}

}
