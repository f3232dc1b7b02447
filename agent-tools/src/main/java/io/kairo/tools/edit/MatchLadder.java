package io.kairo.tools.edit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.kairo.tools.edit.LineMatcher.Anchor;
import io.kairo.tools.edit.LineMatcher.Place;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Gutter;
import io.kairo.tools.text.LineEnd;
import org.jspecify.annotations.Nullable;

/**
 * Finds the part of a text that an edit replaces: as it was given, else with a little
 * forgiven, rung by rung. It stops at the first rung where there is anything; similarity
 * is none of them. For use by one thread.
 */
final class MatchLadder {

	private static final int MAX_INDENTED = 100;

	/** So many characters of the file are compared with their indentation. */
	private static final long MAX_COMPARED = 64L << 20;

	private final EditableText text;

	private final TextEdit edit;

	/** Whether the rung that was tried last found more places than it returned. */
	private boolean cut;

	MatchLadder(EditableText text, TextEdit edit) {
		this.text = text;
		this.edit = edit;
	}

	/**
	 * Climbs the ladder.
	 * @return what the first rung found that found anything, null if none did
	 */
	@Nullable Found climb() {
		List<? extends TextMatch> exact = exact();
		if (!exact.isEmpty()) {
			return found(Rung.EXACT, exact);
		}
		if (!StandardCharsets.UTF_8.newEncoder().canEncode(this.edit.oldString())) {
			return null; // half a character is in no file
		}
		// shown for bytes that cannot be read, so it is in no file that shows it
		if (this.edit.oldString().indexOf('\uFFFD') >= 0) {
			return null;
		}
		String old = LineEnd.strip(this.edit.oldString());
		String replacement = LineEnd.strip(this.edit.newString());
		List<? extends TextMatch> found = byLines(old, replacement, LineNormalizer.LINE_END, Anchor.ANYWHERE);
		if (!found.isEmpty()) {
			return found(Rung.LINE_ENDS, found);
		}
		Anchor anchor = Anchor.ANYWHERE;
		String stripped = Gutter.strip(old);
		if (stripped != null && !stripped.isBlank()) {
			String strippedReplacement = Gutter.strip(replacement);
			old = stripped;
			replacement = (strippedReplacement != null) ? strippedReplacement : replacement;
			anchor = Anchor.LINE_START;
			found = byLines(old, replacement, LineNormalizer.LINE_END, anchor);
			if (!found.isEmpty()) {
				return found(Rung.LINE_NUMBERS, found);
			}
		}
		if (old.isBlank()) {
			return null; // with its white space forgiven nothing would be left
		}
		found = byLines(old, shortened(old, replacement, LineNormalizer.TRAILING_SPACE), LineNormalizer.TRAILING_SPACE,
				anchor);
		if (!found.isEmpty()) {
			return found(Rung.TRAILING_SPACE, found);
		}
		found = byIndentation(old, replacement);
		if (!found.isEmpty()) {
			return found(Rung.INDENTATION, found);
		}
		found = byLines(old, shortened(old, replacement, LineNormalizer.LOOK_ALIKES), LineNormalizer.LOOK_ALIKES,
				anchor);
		return found.isEmpty() ? null : found(Rung.LOOK_ALIKES, found);
	}

	private Found found(Rung rung, List<? extends TextMatch> matches) {
		return new Found(rung, matches, this.cut ? Extent.CUT : Extent.ALL);
	}

	private List<? extends TextMatch> exact() {
		String old = this.edit.oldString();
		String replacement = verbatim();
		if (!this.text.encoding().isSelfSynchronizing()) {
			return toMatches(new LineMatcher(this.text, old, LineNormalizer.IDENTITY, Anchor.ANYWHERE), old,
					replacement);
		}
		byte[] pattern = this.text.encoding().encodeOrNull(old);
		if (pattern == null) {
			return List.of();
		}
		List<ExactMatch> matches = new ArrayList<>();
		ByteSearch search = new ByteSearch(pattern);
		byte[] bytes = this.text.bytes();
		int bom = this.text.encoding().bomLength();
		int at = search.next(bytes, bom);
		while (at >= 0) {
			if (matches.size() == LineMatcher.MAX_PLACES) {
				this.cut = true;
				break;
			}
			if ((at - bom) % this.text.unit() == 0) {
				matches.add(new ExactMatch(at, old, replacement, this.text.charset()));
				boolean overlapped = matches.size() == 1 && this.edit.scope() == TextEdit.Scope.UNIQUE;
				at = search.next(bytes, at + (overlapped ? 1 : pattern.length));
			}
			else {
				at = search.next(bytes, at + 1);
			}
		}
		return matches;
	}

	/**
	 * Returns what comes in place of an exact match. Unless the edit is about nothing
	 * else, its line ends are those of the part.
	 */
	private String verbatim() {
		String old = this.edit.oldString();
		String replacement = this.edit.newString();
		if (LineEnd.strip(old).equals(LineEnd.strip(replacement))) {
			return replacement;
		}
		return (old.contains("\r\n") ? LineEnd.CRLF : LineEnd.LF).applyTo(replacement);
	}

	private List<? extends TextMatch> byLines(String old, String replacement, LineNormalizer normalizer,
			Anchor anchor) {
		LineMatcher matcher = new LineMatcher(this.text, old, normalizer, anchor);
		return toMatches(matcher, aligned(old, normalizer), replacement);
	}

	/**
	 * Takes from the part what the file may not have, and leaves the characters that the
	 * edit is to be compared with.
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
	 * Takes from a line what its normalizer takes from its end.
	 */
	private static String shortened(String line, LineNormalizer normalizer, boolean last) {
		return line.substring(0, (last ? normalizer.applyToLast(line) : normalizer.apply(line)).length());
	}

	private List<LineMatch> toMatches(LineMatcher matcher, String pattern, String replacement) {
		List<Place> places = matcher.places();
		this.cut = matcher.isCut();
		List<LineMatch> matches = new ArrayList<>();
		int lines = (int) pattern.chars().filter((c) -> c == '\n').count();
		int lastLength = pattern.length() - pattern.lastIndexOf('\n') - 1;
		Place end = new Place(-1, 0);
		for (Place place : places) {
			boolean overlaps = place.line() < end.line()
					|| (place.line() == end.line() && place.column() < end.column());
			if (!overlaps || this.edit.scope() == TextEdit.Scope.UNIQUE) {
				matches.add(new LineMatch(this.text, place.line(), place.column(), pattern, replacement));
				end = new Place(place.line() + lines, lastLength + ((lines == 0) ? place.column() : 0));
			}
		}
		return matches;
	}

	private List<LineMatch> byIndentation(String old, String replacement) {
		List<String> lines = List.of(old.split("\n", -1));
		List<LineMatch> matches = new ArrayList<>();
		LineMatcher matcher = new LineMatcher(this.text, old, LineNormalizer.CONTENT, Anchor.WHOLE_LINES);
		long compared = 0;
		for (Place place : matcher.places()) {
			if (place.column() != 0 || place.line() + lines.size() > this.text.lineCount()) {
				continue;
			}
			List<String> there = new ArrayList<>();
			for (int i = 0; i < lines.size(); i++) {
				there.add(this.text.line(place.line() + i));
				compared += there.get(i).length() + 1;
			}
			if (compared > MAX_COMPARED) {
				return List.of(); // whether there is one place only is not known
			}
			Indentation indentation = Indentation.between(lines, there);
			if (indentation != null) {
				String pattern = lines.stream()
					.map((line) -> indentation.apply(line).stripTrailing())
					.collect(Collectors.joining("\n"));
				String indented = shortened(old, replacement, LineNormalizer.TRAILING_SPACE).lines()
					.map(indentation::apply)
					.collect(Collectors.joining("\n"));
				matches.add(new LineMatch(this.text, place.line(), 0, pattern,
						indented + (replacement.endsWith("\n") ? "\n" : "")));
				if (matches.size() == MAX_INDENTED) {
					break; // one is wanted
				}
			}
		}
		return matcher.isCut() ? List.of() : matches;
	}

	/**
	 * Takes from the lines that the edit does not change what a normalizer takes.
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
	 * What a rung found.
	 *
	 * @param rung the rung
	 * @param matches at least one, in ascending order
	 * @param extent whether there are more
	 */
	record Found(Rung rung, List<? extends TextMatch> matches, Extent extent) {

	}

	/**
	 * How much of what there is was found.
	 */
	enum Extent {

		/** All of it. */
		ALL,

		/** As much as is looked for, and there is more. */
		CUT

	}

}
