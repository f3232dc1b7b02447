package io.kairo.tools.edit;

/**
 * Where a part of a text was found.
 */
interface TextMatch {

	/**
	 * Returns the part, character by character as it is in the file as far as matching
	 * goes.
	 */
	String pattern();

	/**
	 * Returns what comes in its place, treated as the part was to be found.
	 */
	String replacement();

	/**
	 * Returns a position in the file.
	 * @param characters how many characters of the part come before it
	 * @return an offset in bytes
	 */
	int offset(int characters);

}
