package io.kairo.tools.edit;

import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.LineEnd;
import org.jspecify.annotations.Nullable;

/**
 * The line end of the last line after a patch.
 */
enum FinalNewline {

	/** As it was. */
	KEEP,

	/** It is there afterwards. */
	ADD,

	/** It is not there afterwards. */
	REMOVE;

	/**
	 * Returns the splice that adds or removes the line end.
	 * @param text the text
	 * @return the splice, null if there is nothing to do
	 */
	@Nullable ByteSplice splice(EditableText text) {
		int length = text.bytes().length;
		int last = text.lineCount() - 1;
		boolean ended = text.start(last) == length;
		if (length == text.encoding().bomLength() || this == KEEP || ended == (this == ADD)) {
			return null;
		}
		if (this == ADD) {
			byte[] end = text.encoding().encodeOrNull((text.lineEnd() == LineEnd.CRLF) ? "\r\n" : "\n");
			return (end != null) ? new ByteSplice(length, length, end) : null;
		}
		int feed = length - text.unit();
		int from = text.endsWithReturn(feed, text.start(last - 1)) ? feed - text.unit() : feed;
		return new ByteSplice(from, length, new byte[0]);
	}

}
