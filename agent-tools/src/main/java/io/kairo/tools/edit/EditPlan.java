package io.kairo.tools.edit;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.tools.ToolError;
import io.kairo.tools.file.UnmappableCharacters;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.LineEnd;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.RivalCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of edits of one file in memory, each applied to the result of the ones
 * before it, so that all of them are written in one step, or none. For use by one thread.
 */
final class EditPlan {

	private static final int MAX_NAMED_LINES = 20;

	private final String path;

	private final int maxBytes;

	private final EditTime time;

	private EditableText text;

	private @Nullable MatchLevel level;

	private List<ByteSplice> splices = List.of();

	/**
	 * Starts a plan.
	 * @param path the file, for messages
	 * @param text its text
	 * @param maxBytes the maximum size of the result in bytes
	 * @param time the time of the edits
	 */
	EditPlan(String path, EditableText text, int maxBytes, EditTime time) {
		this.time = time;
		this.path = path;
		this.maxBytes = maxBytes;
		this.text = text;
	}

	/**
	 * Performs an edit.
	 * @return the reason why it cannot be performed, in which case the plan is unchanged;
	 * null if it was performed
	 * @throws EditTime.OverException if the time is over
	 */
	@Nullable ToolError perform(TextEdit edit) {
		TolerantMatcher.Found found = new TolerantMatcher(this.text, edit, this.time).find();
		if (found == null) {
			return new NearestCandidate(this.text, edit, this.time).explain(this.path);
		}
		if (found.extent() == TolerantMatcher.Extent.CUT && severalAreWanted(edit, found.level())) {
			return new ToolError(WorkspaceErrorCode.TOO_LARGE.code(),
					Phrase.of("old_string is in '%s' more than %,d times, which is more than can be replaced at once.",
							this.path, found.matches().size()),
					"Nothing was written. Use a command such as sed, or a longer old_string.");
		}
		if (found.matches().size() > 1 && !severalAreWanted(edit, found.level())) {
			return several(found);
		}
		TextMatch first = found.matches().get(0);
		KeptLineEnds ends = isVerbatim(found) ? null
				: new KeptLineEnds(this.text, first.pattern(), first.replacement());
		RivalCharsets rivals = new RivalCharsets(this.text);
		List<ByteSplice> planned = new ArrayList<>();
		Map<String, byte[]> encoded = new HashMap<>();
		long size = this.text.bytes().length;
		for (TextMatch match : found.matches()) {
			this.time.step();
			ToolError doubt = doubt(match, rivals);
			if (doubt != null) {
				return doubt;
			}
			ByteSplice one = splice(match, ends, encoded);
			if (one == null) {
				return UnmappableCharacters.problem("new_string", edit.newString(), this.text.encoding(), this.path);
			}
			planned.add(one);
			size += one.growth();
			if (size > this.maxBytes) {
				return tooLarge(found.matches().size(), edit.newString().length());
			}
		}
		byte[] bytes = ByteSplice.apply(this.text.bytes(), planned);
		this.text = new EditableText(bytes, this.text.encoding());
		this.level = found.level();
		this.splices = planned;
		return null;
	}

	/**
	 * Returns the text after the edits.
	 */
	EditableText text() {
		return this.text;
	}

	/**
	 * Returns the level at which the last edit matched, null before the first edit.
	 */
	@Nullable MatchLevel level() {
		return this.level;
	}

	/**
	 * Returns the number of replacements of the last edit.
	 */
	int replacements() {
		return this.splices.size();
	}

	/**
	 * Returns the ranges of new bytes of the last edit, as offsets into {@link #text()}:
	 * each pair is the first byte and the one after the last.
	 */
	List<int[]> changed() {
		List<int[]> changed = new ArrayList<>();
		int shift = 0;
		for (ByteSplice splice : this.splices) {
			int from = splice.from() + shift;
			changed.add(new int[] { from, from + splice.replacement().length });
			shift += splice.growth();
		}
		return changed;
	}

	/**
	 * Returns whether the edit may replace several places. Looser levels may match places
	 * that were not meant; other line ends are the same text to the model.
	 */
	private static boolean severalAreWanted(TextEdit edit, MatchLevel level) {
		return edit.scope() == TextEdit.Scope.ALL && (level == MatchLevel.EXACT || level == MatchLevel.LINE_ENDS);
	}

	/**
	 * Returns whether an exact edit changes line ends only, which are then written as
	 * they are given.
	 */
	private static boolean isVerbatim(TolerantMatcher.Found found) {
		TextMatch first = found.matches().get(0);
		return found.level() == MatchLevel.EXACT
				&& LineEnd.strip(first.pattern()).equals(LineEnd.strip(first.replacement()));
	}

	/**
	 * Turns a match into the smallest splice: the part and its replacement may share
	 * their ends, which stay as they are in the file, byte for byte. Lines keep their
	 * ends, and new lines end as the lines around them do.
	 * @param ends the line ends, null if line ends are written as they are given
	 * @param encoded the bytes of texts that were inserted before, which are shared
	 * @return the splice, null if the charset does not have all new characters
	 */
	private @Nullable ByteSplice splice(TextMatch match, @Nullable KeptLineEnds ends, Map<String, byte[]> encoded) {
		String old = (ends != null) ? ends.old() : match.pattern();
		String replacement = (ends != null) ? ends.replacement() : match.replacement();
		int prefix = commonPrefix(old, replacement);
		int suffix = commonSuffix(old, replacement, prefix);
		suffix = (ends != null) ? ends.suffix(suffix, match) : suffix;
		String inserted = replacement.substring(prefix, replacement.length() - suffix);
		int from = (ends != null) ? ends.offset(match, prefix) : match.offset(prefix);
		int to = (ends != null) ? ends.offset(match, old.length() - suffix) : match.offset(old.length() - suffix);
		inserted = (ends != null) ? ends.applyTo(inserted, prefix, match) : inserted;
		byte[] bytes = encoded.computeIfAbsent(inserted, this.text.encoding()::encodeOrNull);
		return (bytes != null) ? new ByteSplice(from, to, bytes) : null;
	}

	/**
	 * Returns the refusal of a match that may begin or end within a character, as the
	 * charset of the file is a guess; null if no other charset fits.
	 */
	private @Nullable ToolError doubt(TextMatch match, RivalCharsets rivals) {
		int from = match.offset(0);
		Charset other = rivals.splitting(from, match.offset(match.pattern().length()));
		return (other == null) ? null
				: new ToolError(ToolError.UNCERTAIN_CHARSET,
						Phrase.of(
								"'%s' was taken for %s, but may be %s, in which old_string would begin or end within "
										+ "a character in line %,d.",
								this.path, this.text.charset().name(), other.name(), this.text.lineAt(from) + 1),
						Phrase.of("Give whole lines in old_string, or turn the file into UTF-8 first, as iconv -f %s "
								+ "-t UTF-8 does if that is its charset, and read it again.", other.name()));
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

	private ToolError tooLarge(int places, int characters) {
		return new ToolError(WorkspaceErrorCode.TOO_LARGE.code(),
				Phrase.of(
						"'%s' has %,d bytes, and would have more than the %,d that can be edited if old_string were "
								+ "replaced in %,d place%s by a text of %,d characters.",
						this.path, this.text.bytes().length, this.maxBytes, places, Phrase.plural(places), characters),
				"Nothing was written. Give a shorter new_string, replace fewer places, or use a command such as sed.");
	}

	private ToolError several(TolerantMatcher.Found found) {
		List<String> lines = found.matches()
			.stream()
			.limit(MAX_NAMED_LINES)
			.map((match) -> String.valueOf(this.text.lineAt(match.offset(0)) + 1))
			.toList();
		int count = found.matches().size();
		boolean exact = found.level() == MatchLevel.EXACT || found.level() == MatchLevel.LINE_ENDS;
		return new ToolError(ToolError.SEVERAL_MATCHES,
				Phrase.of("old_string is in '%s' %,d times%s, in lines %s%s.", this.path, count,
						exact ? "" : ", " + found.level().phrase(), String.join(", ", lines),
						(count > lines.size()) ? ", …" : ""),
				"Add lines around it to old_string until it is unique"
						+ (exact ? ", or set replace_all to replace all of them." : "; give it as it is in the file."));
	}

	/**
	 * A replacement for a range of bytes. Immutable; the bytes are not copied.
	 *
	 * @param from the offset of the first replaced byte
	 * @param to the offset after the last replaced byte
	 * @param replacement the new bytes
	 */
	private record ByteSplice(int from, int to, byte[] replacement) {

		/**
		 * Returns the number of bytes that the splice adds, negative if it removes bytes.
		 */
		int growth() {
			return this.replacement.length - (this.to - this.from);
		}

		/**
		 * Applies splices.
		 * @param bytes the bytes; not changed
		 * @param splices the splices in ascending order, without overlaps
		 * @return the new bytes
		 * @throws IllegalArgumentException if the result is longer than an array can be
		 */
		static byte[] apply(byte[] bytes, List<ByteSplice> splices) {
			long length = bytes.length;
			for (ByteSplice splice : splices) {
				length += splice.growth();
			}
			if (length > Integer.MAX_VALUE - 8) {
				throw new IllegalArgumentException("The result would have " + length + " bytes");
			}
			byte[] result = new byte[(int) length];
			int read = 0;
			int written = 0;
			for (ByteSplice splice : splices) {
				int kept = splice.from() - read;
				System.arraycopy(bytes, read, result, written, kept);
				written += kept;
				System.arraycopy(splice.replacement(), 0, result, written, splice.replacement().length);
				written += splice.replacement().length;
				read = splice.to();
			}
			System.arraycopy(bytes, read, result, written, bytes.length - read);
			return result;
		}

	}

}
