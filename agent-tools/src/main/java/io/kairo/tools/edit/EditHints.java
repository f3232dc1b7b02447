package io.kairo.tools.edit;

import io.kairo.tools.ToolError;
import io.kairo.tools.text.Phrase;

/**
 * The refusals of texts that are not meant literally.
 */
final class EditHints {

	private EditHints() {
	}

	/**
	 * Creates the refusal of a new text with a comment that stands for other lines, since
	 * the file would lose these.
	 * @param terms the terms of messages
	 * @param comment the comment
	 * @param path the file, as spelled in results
	 */
	static ToolError elided(EditTerms terms, String comment, String path) {
		return new ToolError(ToolError.ELIDED_LINES,
				Phrase.of("%s has '%s', which stands for lines that are left out: '%s' would have this comment in "
						+ "their place.", terms.replacement(), Phrase.visible(comment), path),
				"Nothing was written. Leave out the lines that stay, and make a change of its own for each part that "
						+ "does not; or give all lines. To have this very comment, write the whole file.");
	}

}
