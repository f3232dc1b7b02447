package io.kairo.sandbox.support.process;

/**
 * A word in a script of a POSIX shell.
 */
public final class ShellWord {

	private ShellWord() {
	}

	/**
	 * Quotes a text, so that a shell takes it as one word.
	 * @param text the text
	 * @return the quoted text
	 */
	public static String quote(String text) {
		return "'" + text.replace("'", "'\\''") + "'";
	}

}
