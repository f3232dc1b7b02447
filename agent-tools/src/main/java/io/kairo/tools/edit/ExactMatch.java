package io.kairo.tools.edit;

import java.nio.charset.Charset;

/**
 * A part that is in the file byte for byte.
 *
 * @param from where it starts, in bytes
 * @param pattern the part
 * @param replacement what comes in its place
 * @param charset the charset of the file
 */
record ExactMatch(int from, String pattern, String replacement, Charset charset) implements TextMatch {

	@Override
	public int offset(int characters) {
		return this.from + this.pattern.substring(0, characters).getBytes(this.charset).length;
	}

}
