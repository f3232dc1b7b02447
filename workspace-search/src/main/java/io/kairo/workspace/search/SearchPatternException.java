package io.kairo.workspace.search;

/**
 * Thrown for an invalid pattern, glob or file type. The message says what is wrong,
 * where, and what to write instead.
 */
public class SearchPatternException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what is wrong with the value, where, and what to do
	 */
	public SearchPatternException(String message) {
		super(message);
	}

}
