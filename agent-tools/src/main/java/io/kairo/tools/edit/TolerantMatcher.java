package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.kairo.tools.edit.LineMatcher.Anchor;
import io.kairo.tools.edit.LineMatcher.Place;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Gutter;
import io.kairo.tools.text.LineEnd;
import io.kairo.tools.text.TextEncoding;
import io.kairo.workspace.search.ByteCount;
import org.jspecify.annotations.Nullable;

/**
 * A search for the part of a text that an edit replaces, first as given, then with more
 * and more tolerance. It stops at the first level with a match; resemblance is not a
 * level. For use by one thread.
 */
final class TolerantMatcher {

	private static final int MAX_INDENTED = 100;

	/**
	 * Maximum number of characters of an edit that is not found exactly as it is given.
	 */
	static final int MAX_TOLERATED = 256 << 10;

	/** Maximum number of characters that are compared by their indentation. */
	private static final long MAX_COMPARED = 64L << 20;

	private final EditableText text;

	private final TextEdit edit;

	private final EditTime time;

	/** The places that may match. */
	private final Predicate<TextMatch> where;

	/** Whether the last level found more places than it returned. */
	private boolean cut;

	TolerantMatcher(EditableText text, TextEdit edit, EditTime time) {
		this(text, edit, time, (match) -> true);
	}

	TolerantMatcher(EditableText text, TextEdit edit, EditTime time, Predicate<TextMatch> where) {
		this.where = where;
		this.time = time;
		this.text = text;
		this.edit = edit;
	}

	/**
	 * Tries the levels in order.
	 * @return the matches of the first level that has any, null if none has
	 */
	@Nullable Found find() {
		List<TextMatch> exact = exact();
		if (!exact.isEmpty()) {
			return found(MatchLevel.EXACT, exact);
		}
		if (!isTolerated(this.edit)) {
			return null;
		}
		if (TextEncoding.UTF_8.encodedLength(this.edit.oldString()) < 0) {
			return null; // an unpaired surrogate occurs in no file
		}
		// stands for undecodable bytes, so it is not part of the text of the file
		if (this.edit.oldString().indexOf('\uFFFD') >= 0) {
			return null;
		}
		String old = LineEnd.strip(this.edit.oldString());
		String replacement = LineEnd.strip(this.edit.newString());
		Anchor anchor = this.edit.scope() == TextEdit.Scope.LINES ? Anchor.WHOLE_LINES : Anchor.ANYWHERE;
		List<TextMatch> found = byLines(old, replacement, LineNormalizer.LINE_END, anchor);
		if (!found.isEmpty()) {
			return found(MatchLevel.LINE_ENDS, found);
		}
		String stripped = (anchor == Anchor.ANYWHERE) ? Gutter.strip(old) : null;
		if (stripped != null && !stripped.isBlank()) {
			String strippedReplacement = Gutter.strip(replacement);
			if (strippedReplacement == null && Gutter.isIn(replacement)) {
				return null; // some numbers belong to the text, but it is unknown which
			}
			old = stripped;
			replacement = (strippedReplacement != null) ? strippedReplacement : replacement;
			anchor = Anchor.LINE_START;
			found = byLines(old, replacement, LineNormalizer.LINE_END, anchor);
			if (!found.isEmpty()) {
				return found(MatchLevel.LINE_NUMBERS, found);
			}
		}
		if (old.isBlank()) {
			return null; // ignoring whitespace would leave nothing to match
		}
		found = byLines(old, shortened(old, replacement, LineNormalizer.TRAILING_SPACE), LineNormalizer.TRAILING_SPACE,
				anchor);
		if (!found.isEmpty()) {
			return found(MatchLevel.TRAILING_SPACE, found);
		}
		found = byIndentation(old, replacement);
		if (!found.isEmpty()) {
			return found(MatchLevel.INDENTATION, found);
		}
		found = byLines(old, shortened(old, replacement, LineNormalizer.LOOK_ALIKES), LineNormalizer.LOOK_ALIKES,
				anchor);
		return found.isEmpty() ? null : found(MatchLevel.LOOK_ALIKES, found);
	}

	/**
	 * Returns whether an edit is short enough to be compared line by line, since this
	 * takes many times its size in memory.
	 */
	static boolean isTolerated(TextEdit edit) {
		return edit.oldString().length() + (long) edit.newString().length() <= MAX_TOLERATED;
	}

	private Found found(MatchLevel level, List<TextMatch> matches) {
		return new Found(level, matches, this.cut ? Extent.CUT : Extent.ALL);
	}

	private List<TextMatch> exact() {
		String old = this.edit.oldString();
		String replacement = this.edit.newString();
		if (!this.text.encoding().isSelfSynchronizing()) {
			return !isTolerated(this.edit) ? List.of()
					: toMatches(new LineMatcher(this.text, old, LineNormalizer.IDENTITY, Anchor.ANYWHERE, this.time),
							old, replacement);
		}
		byte[] pattern = (old.length() <= this.text.bytes().length) ? this.text.encoding().encodeOrNull(old) : null;
		if (pattern == null) {
			return List.of();
		}
		List<TextMatch> matches = new ArrayList<>();
		KmpSearch search = new KmpSearch(pattern.length, (i) -> pattern[i]);
		byte[] bytes = this.text.bytes();
		int bom = this.text.encoding().bomLength();
		for (int i = next(search, pattern, bytes, bom); i < bytes.length; i = next(search, pattern, bytes, i + 1)) {
			if (!search.endsWith(bytes[i])) {
				continue;
			}
			this.time.step();
			int at = i + 1 - pattern.length;
			TextMatch match = new TextMatch.Exact(at, old, replacement, this.text.encoding());
			if ((at - bom) % this.text.unit() == 0 && this.where.test(match)) {
				if (matches.size() == LineMatcher.MAX_PLACES) {
					this.cut = true;
					break;
				}
				matches.add(match);
				boolean overlapped = this.edit.scope() == TextEdit.Scope.LINES
						|| (matches.size() == 1 && this.edit.scope() == TextEdit.Scope.UNIQUE);
				if (!overlapped) {
					search.reset();
				}
			}
		}
		return matches;
	}

	/**
	 * Returns the index of the next byte to search: where no occurrence has begun, that
	 * of the first byte of the pattern.
	 */
	private static int next(KmpSearch search, byte[] pattern, byte[] bytes, int from) {
		if (!search.isIdle()) {
			return from;
		}
		int first = ByteCount.first(pattern[0], bytes, from, bytes.length);
		return (first < 0) ? bytes.length : first;
	}

	private List<TextMatch> byLines(String old, String replacement, LineNormalizer normalizer, Anchor anchor) {
		LineMatcher matcher = new LineMatcher(this.text, old, normalizer, anchor, this.time);
		return toMatches(matcher, aligned(old, normalizer), replacement);
	}

	/**
	 * Removes from the part the characters that the file may lack, so that the rest
	 * corresponds to the file.
	 */
	private static String aligned(String old, LineNormalizer normalizer) {
		if (normalizer == LineNormalizer.LINE_END) {
			return old;
		}
		String[] lines = old.split("\n", -1);
		for (int i = 0; i < lines.length; i++) {
			lines[i] = shortened(lines[i], normalizer, i == lines.length - 1);
		}
		return String.join("\n", lines);
	}

	/**
	 * Removes from a line the characters that its normalizer removes from its end.
	 */
	private static String shortened(String line, LineNormalizer normalizer, boolean last) {
		return line.substring(0, (last ? normalizer.applyToLast(line) : normalizer.apply(line)).length());
	}

	private List<TextMatch> toMatches(LineMatcher matcher, String pattern, String replacement) {
		List<Place> places = matcher.places();
		this.cut = matcher.isCut();
		List<TextMatch> matches = new ArrayList<>();
		int lines = (int) pattern.chars().filter((c) -> c == '\n').count();
		int lastLength = pattern.length() - pattern.lastIndexOf('\n') - 1;
		Place end = new Place(-1, 0);
		for (Place place : places) {
			boolean overlaps = place.line() < end.line()
					|| (place.line() == end.line() && place.column() < end.column());
			TextMatch match = new TextMatch.Line(this.text, place.line(), place.column(), pattern, replacement);
			if ((!overlaps || this.edit.scope() != TextEdit.Scope.ALL) && this.where.test(match)) {
				matches.add(match);
				end = new Place(place.line() + lines, lastLength + ((lines == 0) ? place.column() : 0));
			}
		}
		return matches;
	}

	private List<TextMatch> byIndentation(String old, String replacement) {
		List<TextMatch> found = byIndentation(old, replacement, Indentation.Extent.EITHER);
		return found.isEmpty() ? byIndentation(old, replacement, Indentation.Extent.BOTH) : found;
	}

	private List<TextMatch> byIndentation(String old, String replacement, Indentation.Extent extent) {
		List<String> lines = List.of(old.split("\n", -1));
		List<String> newLines = shortened(old, replacement, LineNormalizer.TRAILING_SPACE).lines().toList();
		List<TextMatch> matches = new ArrayList<>();
		LineMatcher matcher = new LineMatcher(this.text, old, LineNormalizer.CONTENT, Anchor.WHOLE_LINES, this.time);
		long compared = 0;
		boolean mixes = false;
		for (Place place : matcher.places()) {
			if (place.column() != 0 || place.line() + lines.size() > this.text.lineCount()) {
				continue;
			}
			List<String> there = new ArrayList<>();
			for (int i = 0; i < lines.size(); i++) {
				this.time.step();
				there.add(this.text.line(place.line() + i));
				compared += there.get(i).length() + 1;
			}
			if (compared > MAX_COMPARED) {
				return List.of(); // too much text to decide whether the match is unique
			}
			Indentation indentation = Indentation.between(lines, there, newLines, extent);
			if (indentation != null) {
				String pattern = lines.stream()
					.map((line) -> indentation.apply(line).stripTrailing())
					.collect(Collectors.joining("\n"));
				String indented = newLines.stream().map(indentation::apply).collect(Collectors.joining("\n"));
				TextMatch match = new TextMatch.Line(this.text, place.line(), 0, pattern,
						indented + (replacement.endsWith("\n") ? "\n" : ""));
				if (this.where.test(match)) {
					matches.add(match);
					mixes |= indentation.mixes(there, newLines);
				}
				if (matches.size() == MAX_INDENTED) {
					break; // enough to know that the match is not unique
				}
			}
		}
		// the indentation of new lines would be a guess
		boolean guessed = mixes && matches.size() == 1;
		return (matcher.isCut() || guessed) ? List.of() : matches;
	}

	/**
	 * Removes from the lines that the edit does not change the characters that a
	 * normalizer removes.
	 */
	private static String shortened(String old, String replacement, LineNormalizer normalizer) {
		Set<String> kept = new HashSet<>(Arrays.asList(old.split("\n", -1)));
		String[] lines = replacement.split("\n", -1);
		for (int i = 0; i < lines.length; i++) {
			lines[i] = kept.contains(lines[i]) ? shortened(lines[i], normalizer, i == lines.length - 1) : lines[i];
		}
		return String.join("\n", lines);
	}

	/**
	 * The matches of a level.
	 *
	 * @param level the level
	 * @param matches at least one, in ascending order
	 * @param extent whether there are more
	 */
	record Found(MatchLevel level, List<TextMatch> matches, Extent extent) {

	}

	/**
	 * The extent of a search.
	 */
	enum Extent {

		/** All of it. */
		ALL,

		/** The maximum number of places; there are more. */
		CUT

	}

}
