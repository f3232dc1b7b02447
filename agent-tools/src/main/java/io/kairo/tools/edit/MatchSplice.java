package io.kairo.tools.edit;

import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.LineEnd;
import org.jspecify.annotations.Nullable;

/**
 * Turns a match into the smallest splice: what the part and its replacement have in
 * common at both ends stays as it is in the file, byte for byte, and new lines end as the
 * lines around them do.
 */
final class MatchSplice {

	private final EditableText text;

	private final Rung rung;

	private final boolean verbatim;

	/**
	 * Prepares splices.
	 * @param text the text of the file
	 * @param found what was found there
	 */
	MatchSplice(EditableText text, MatchLadder.Found found) {
		this.text = text;
		this.rung = found.rung();
		TextMatch first = found.matches().get(0);
		this.verbatim = this.rung == Rung.EXACT
				&& LineEnd.strip(first.pattern()).equals(LineEnd.strip(first.replacement()));
	}

	/**
	 * Returns the splice of a match.
	 * @return the splice, null if the charset does not have all new characters
	 */
	@Nullable ByteSplice of(TextMatch match) {
		String old = match.pattern();
		String replacement = match.replacement();
		int prefix = commonPrefix(old, replacement);
		int suffix = commonSuffix(old, replacement, prefix);
		int from = match.offset(prefix);
		int to = match.offset(old.length() - suffix);
		String inserted = replacement.substring(prefix, replacement.length() - suffix);
		if (!this.verbatim) {
			LineEnd lineEnd = (inserted.indexOf('\n') >= 0) ? this.text.lineEnd(from) : null;
			inserted = (lineEnd != null) ? lineEnd.applyTo(inserted) : inserted;
			boolean lineFeedAlone = this.rung == Rung.EXACT && prefix == 0 && to > from && old.startsWith("\n");
			if (lineFeedAlone && this.text.endsWithReturn(from, this.text.encoding().bomLength())) {
				from -= this.text.unit();
			}
		}
		byte[] bytes = this.text.encoding().encodeOrNull(inserted);
		return (bytes != null) ? new ByteSplice(from, to, bytes) : null;
	}

	private static int commonPrefix(String one, String other) {
		int length = 0;
		int most = Math.min(one.length(), other.length());
		while (length < most && one.charAt(length) == other.charAt(length)) {
			length++;
		}
		return (length > 0 && Character.isHighSurrogate(one.charAt(length - 1))) ? length - 1 : length;
	}

	private static int commonSuffix(String one, String other, int prefix) {
		int length = 0;
		int most = Math.min(one.length(), other.length()) - prefix;
		while (length < most && one.charAt(one.length() - 1 - length) == other.charAt(other.length() - 1 - length)) {
			length++;
		}
		return (length > 0 && Character.isLowSurrogate(one.charAt(one.length() - length))) ? length - 1 : length;
	}

}
