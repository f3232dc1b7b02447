package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.List;

import io.kairo.tools.text.EditableText;

/**
 * The place of a hunk in a text.
 *
 * @param line its first line, from 0
 * @param count the number of its lines that are there
 * @param level the level of the match
 * @param changes the matches of the lines that change, in ascending order; the lines
 * between them stay as they are, byte for byte
 */
record HunkPlace(int line, int count, MatchLevel level, List<TextMatch> changes) {

	/**
	 * Creates the place of a match.
	 * @param text the text
	 * @param match the match
	 * @param level its level
	 * @param lines the lines of the hunk
	 */
	static HunkPlace of(EditableText text, TextMatch match, MatchLevel level, List<Hunk.Line> lines) {
		int line = text.lineAt(match.offset(0));
		String[] old = match.pattern().split("\n", -1);
		String[] replacement = match.replacement().split("\n", -1);
		List<TextMatch> changes = new ArrayList<>();
		int i = 0;
		int j = 0;
		for (int k = 0; k < lines.size();) {
			if (lines.get(k).op() == Hunk.Op.CONTEXT) {
				i++;
				j++;
				k++;
				continue;
			}
			int firstOld = i;
			int firstNew = j;
			for (; k < lines.size() && lines.get(k).op() != Hunk.Op.CONTEXT; k++) {
				boolean removed = lines.get(k).op() == Hunk.Op.REMOVED;
				i += removed ? 1 : 0;
				j += removed ? 0 : 1;
			}
			boolean ended = line + i < text.lineCount();
			StringBuilder from = new StringBuilder();
			StringBuilder to = new StringBuilder();
			// the line before it tells how added lines end
			int first = Math.max(0, firstOld - 1);
			for (int n = first; n < i; n++) {
				from.append(old[n]).append((ended || n < i - 1) ? "\n" : "");
			}
			if (first < firstOld) {
				to.append(old[first]).append((ended || firstNew < j) ? "\n" : "");
			}
			for (int n = firstNew; n < j; n++) {
				to.append(replacement[n]).append((ended || n < j - 1) ? "\n" : "");
			}
			changes.add(new TextMatch.Line(text, line + first, 0, from.toString(), to.toString()));
		}
		return new HunkPlace(line, old.length, level, changes);
	}

	/**
	 * Returns whether the place reaches the end of the text.
	 */
	boolean endsAt(EditableText text) {
		return this.line + this.count >= lines(text);
	}

	/**
	 * Returns the number of lines of a text, without the empty one after the last line
	 * feed.
	 */
	static int lines(EditableText text) {
		int last = text.lineCount() - 1;
		return (text.start(last) == text.bytes().length) ? last : last + 1;
	}

}
