package io.kairo.tools.edit;

import java.nio.charset.Charset;

import io.kairo.tools.text.EditableText;

/**
 * Where a part of a text was found.
 */
sealed interface TextMatch {

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

	/**
	 * A part that is in the file byte for byte.
	 *
	 * @param from where it starts, in bytes
	 * @param pattern the part
	 * @param replacement what comes in its place
	 * @param charset the charset of the file
	 */
	record Exact(int from, String pattern, String replacement, Charset charset) implements TextMatch {

		@Override
		public int offset(int characters) {
			return this.from + this.pattern.substring(0, characters).getBytes(this.charset).length;
		}

	}

	/**
	 * A part that was found line by line. A column of the part is the same column in the
	 * file.
	 *
	 * @param text the text of the file
	 * @param line the line of the file that it starts in
	 * @param column the column that it starts at
	 * @param pattern the part, with line feeds between its lines
	 * @param replacement what comes in its place
	 */
	record Line(EditableText text, int line, int column, String pattern, String replacement) implements TextMatch {

		@Override
		public int offset(int characters) {
			int lines = 0;
			int start = 0;
			for (int i = this.pattern.indexOf('\n'); i >= 0 && i < characters; i = this.pattern.indexOf('\n', i + 1)) {
				lines++;
				start = i + 1;
			}
			return this.text.offset(this.line + lines, characters - start + ((lines == 0) ? this.column : 0));
		}

	}

}
