package io.kairo.tools.edit;

import java.nio.CharBuffer;

import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.TextEncoding;

/**
 * A place in a text that matches the part to replace.
 */
sealed interface TextMatch {

	/**
	 * Returns the part. Its characters correspond to the characters in the file.
	 */
	String pattern();

	/**
	 * Returns the replacement, adapted in the same way as the part.
	 */
	String replacement();

	/**
	 * Returns the position in the file of a character of the part.
	 * @param characters the index of the character in the part
	 * @return an offset in bytes
	 */
	int offset(int characters);

	/**
	 * A match byte for byte.
	 *
	 * @param from the offset in bytes
	 * @param pattern the part
	 * @param replacement the text that replaces the part
	 * @param encoding the encoding of the file
	 */
	record Exact(int from, String pattern, String replacement, TextEncoding encoding) implements TextMatch {

		@Override
		public int offset(int characters) {
			return this.from + (int) this.encoding.encodedLength(CharBuffer.wrap(this.pattern, 0, characters));
		}

	}

	/**
	 * A match line by line. The part has the columns of the file.
	 *
	 * @param text the text of the file
	 * @param line the line of the file that it starts in
	 * @param column the column that it starts at
	 * @param pattern the part, with line feeds between its lines
	 * @param replacement the text that replaces the part
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
