package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.List;

import io.kairo.tools.ToolError;
import io.kairo.tools.text.EditableText;

/**
 * The blocks of lines that the anchors of a hunk name, each from the anchor up to the
 * next line that is not indented more. For use by one thread.
 */
final class AnchoredLines {

	private static final String BRACKETS = ")]}({[";

	private final EditableText text;

	private final EditTime time;

	/** The first line of each block and the one after the last. */
	private List<int[]> blocks = new ArrayList<>();

	/**
	 * Finds the blocks.
	 * @param text the text
	 * @param anchors the anchors, each within the block of the one before it
	 * @param from the first line to search
	 * @param time the time of the edit
	 */
	AnchoredLines(EditableText text, List<String> anchors, int from, EditTime time) {
		this.text = text;
		this.time = time;
		if (anchors.isEmpty()) {
			return;
		}
		// an anchor may precede the previous hunk, whose block goes on
		this.blocks.add(new int[] { 0, text.lineCount() });
		for (int i = 0; i < anchors.size(); i++) {
			List<int[]> within = this.blocks;
			this.blocks = new ArrayList<>();
			for (int[] block : within) {
				addAll(anchors.get(i).strip(), block);
			}
		}
		this.blocks.removeIf((block) -> block[1] <= from);
	}

	private void addAll(String anchor, int[] within) {
		List<int[]> similar = new ArrayList<>();
		for (int line = within[0]; line < within[1]; line++) {
			this.time.step();
			String there = this.text.line(line).strip();
			if (there.equals(anchor)) {
				this.blocks.add(new int[] { line, end(line, within[1]) });
			}
			else if (!anchor.isEmpty() && there.startsWith(anchor)) {
				similar.add(new int[] { line, end(line, within[1]) });
			}
		}
		if (this.blocks.isEmpty()) {
			this.blocks.addAll(similar);
		}
	}

	/**
	 * Returns the line after the block of a line.
	 */
	private int end(int first, int last) {
		int indentation = indentation(this.text.line(first));
		for (int line = first + 1; line < last; line++) {
			this.time.step();
			String there = this.text.line(line);
			if (!there.isBlank() && indentation(there) <= indentation
					&& BRACKETS.indexOf(there.strip().charAt(0)) < 0) {
				return line;
			}
		}
		return last;
	}

	private static int indentation(String line) {
		int indentation = 0;
		while (indentation < line.length() && Character.isWhitespace(line.charAt(indentation))) {
			indentation++;
		}
		return indentation;
	}

	boolean contains(int line) {
		return this.blocks.stream().anyMatch((block) -> line >= block[0] && line < block[1]);
	}

	boolean isEmpty() {
		return this.blocks.isEmpty();
	}

	/**
	 * Returns the line of the only anchor, -1 if there is none or several.
	 */
	int onlyLine() {
		return (this.blocks.size() == 1) ? this.blocks.get(0)[0] : -1;
	}

	/**
	 * Returns the code of the error if there is not one anchor.
	 */
	String code() {
		return this.blocks.isEmpty() ? ToolError.NO_MATCH : ToolError.SEVERAL_MATCHES;
	}

}
