package io.kairo.tools.edit;

import java.util.List;

import com.github.difflib.DiffUtils;
import com.github.difflib.patch.AbstractDelta;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.LineEnd;
import org.jspecify.annotations.Nullable;

/**
 * The line ends of an edit. Both texts are compared line by line with line feeds alone;
 * each line of the replacement ends as the line of the file that it corresponds to, and
 * an added line as the one before it. For use by one thread.
 */
final class KeptLineEnds {

	/** Maximum number of lines that are compared; more correspond by their position. */
	private static final int MAX_COMPARED = 2000;

	private final EditableText text;

	private final String old;

	private final String replacement;

	/** For each line of the replacement, the index of the old line that it ends as. */
	private int @Nullable [] sources;

	/**
	 * Creates the line ends of an edit.
	 * @param text the text of the file
	 * @param old the part to replace
	 * @param replacement the text that replaces the part
	 */
	KeptLineEnds(EditableText text, String old, String replacement) {
		this.text = text;
		this.old = LineEnd.strip(old);
		this.replacement = LineEnd.strip(replacement);
	}

	/**
	 * Returns the part to replace, with line feeds alone.
	 */
	String old() {
		return this.old;
	}

	/**
	 * Returns the replacement, with line feeds alone.
	 */
	String replacement() {
		return this.replacement;
	}

	/**
	 * Returns the position in the file of a character of {@link #old()}; for a line feed,
	 * the position of its line end.
	 * @return an offset in bytes
	 */
	int offset(TextMatch match, int index) {
		String pattern = match.pattern();
		if (pattern.length() == this.old.length()) {
			int offset = match.offset(index);
			// the part may begin within a line end
			boolean split = index == 0 && pattern.startsWith("\n")
					&& this.text.endsWithReturn(offset, this.text.encoding().bomLength());
			return split ? offset - this.text.unit() : offset;
		}
		int at = 0;
		for (int i = 0; i < index; i++) {
			at += pattern.startsWith("\r\n", at) ? 2 : 1;
		}
		return match.offset(at);
	}

	/**
	 * Shortens the common end of both texts if it begins with the end of a line that
	 * corresponds to a line with another end.
	 * @param suffix the length of the common end
	 * @param match the place of the edit
	 * @return the length of the part that stays as it is
	 */
	int suffix(int suffix, TextMatch match) {
		int at = this.old.length() - suffix;
		if (suffix == 0 || this.old.charAt(at) != '\n') {
			return suffix;
		}
		@Nullable LineEnd[] ends = ends(match);
		int line = lines(this.replacement.substring(0, this.replacement.length() - suffix)) - 1;
		boolean same = isUniform(ends) || ends[lines(this.old.substring(0, at)) - 1] == ends[sources()[line]];
		return same ? suffix : suffix - 1;
	}

	/**
	 * Ends the lines of a part of the replacement.
	 * @param inserted the part, with line feeds alone
	 * @param from the index of the part in the replacement
	 * @param match the place of the edit
	 * @return the part with the line ends of the file
	 */
	String applyTo(String inserted, int from, TextMatch match) {
		if (inserted.indexOf('\n') < 0) {
			return inserted;
		}
		@Nullable LineEnd[] ends = ends(match);
		boolean uniform = isUniform(ends);
		if (uniform && ends[0] != LineEnd.CRLF) {
			return inserted;
		}
		int line = lines(this.replacement.substring(0, from)) - 1;
		StringBuilder ended = new StringBuilder();
		for (int i = 0; i < inserted.length(); i++) {
			char c = inserted.charAt(i);
			if (c == '\n' && (uniform || ends[sources()[line++]] == LineEnd.CRLF)) {
				ended.append('\r');
			}
			ended.append(c);
		}
		return ended.toString();
	}

	private @Nullable LineEnd[] ends(TextMatch match) {
		int first = this.text.lineAt(match.offset(0));
		@Nullable LineEnd[] ends = new LineEnd[lines(this.old)];
		for (int i = 0; i < ends.length; i++) {
			ends[i] = this.text.lineEnd(this.text.start(first + i));
		}
		return ends;
	}

	private static boolean isUniform(@Nullable LineEnd[] ends) {
		for (LineEnd end : ends) {
			if (end != ends[0]) {
				return false;
			}
		}
		return true;
	}

	private int[] sources() {
		int[] known = this.sources;
		if (known == null) {
			known = compare(List.of(this.old.split("\n", -1)), List.of(this.replacement.split("\n", -1)));
			this.sources = known;
		}
		return known;
	}

	private static int[] compare(List<String> before, List<String> after) {
		int[] sources = new int[after.size()];
		int i = 0;
		int j = 0;
		if (before.size() + after.size() <= MAX_COMPARED) {
			for (AbstractDelta<String> delta : DiffUtils.diff(before, after).getDeltas()) {
				while (i < delta.getSource().getPosition()) {
					sources[j++] = i++;
				}
				int end = i + delta.getSource().size();
				for (int k = 0; k < delta.getTarget().size(); k++) {
					sources[j++] = Math.max(0, Math.min(i + k, end - 1));
				}
				i = end;
			}
		}
		while (j < sources.length) {
			sources[j++] = Math.min(i++, before.size() - 1);
		}
		return sources;
	}

	private static int lines(String text) {
		return 1 + (int) text.chars().filter((c) -> c == '\n').count();
	}

}
