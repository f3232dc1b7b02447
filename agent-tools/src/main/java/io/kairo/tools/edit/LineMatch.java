package io.kairo.tools.edit;

import io.kairo.tools.text.EditableText;

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
record LineMatch(EditableText text, int line, int column, String pattern, String replacement) implements TextMatch {

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
