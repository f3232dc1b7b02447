package io.kairo.tools;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.kairo.tools.LineMatcher.Anchor;
import io.kairo.tools.LineMatcher.Place;
import org.jspecify.annotations.Nullable;

/**
 * Finds the part of a text that an edit replaces: as it was given, else with a little
 * forgiven, rung by rung. It stops at the first rung where there is anything; similarity
 * is none of them. For use by one thread.
 */
final class MatchLadder {

	private final EditableText text;

	private final TextEdit edit;

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
			return new Found(Rung.EXACT, exact);
		}
		// shown for bytes that cannot be read, so it is in no file that shows it
		if (this.edit.oldString().indexOf('\uFFFD') >= 0) {
			return null;
		}
		String old = LineEnd.strip(this.edit.oldString());
		String replacement = LineEnd.strip(this.edit.newString());
		List<? extends TextMatch> found = byLines(old, replacement, LineNormalizer.LINE_END, Anchor.ANYWHERE);
		if (!found.isEmpty()) {
			return new Found(Rung.LINE_ENDS, found);
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
				return new Found(Rung.LINE_NUMBERS, found);
			}
		}
		if (old.isBlank()) {
			return null; // with its white space forgiven nothing would be left
		}
		found = byLines(old, withoutTrailingSpaceOf(old, replacement), LineNormalizer.TRAILING_SPACE, anchor);
		if (!found.isEmpty()) {
			return new Found(Rung.TRAILING_SPACE, found);
		}
		found = byIndentation(old, replacement);
		if (!found.isEmpty()) {
			return new Found(Rung.INDENTATION, found);
		}
		found = byLines(old, withoutTrailingSpaceOf(old, replacement), LineNormalizer.LOOK_ALIKES, anchor);
		return found.isEmpty() ? null : new Found(Rung.LOOK_ALIKES, found);
	}

	private List<? extends TextMatch> exact() {
		String old = this.edit.oldString();
		String replacement = verbatim();
		if (!this.text.encoding().isSelfSynchronizing()) {
			return toMatches(new LineMatcher(this.text, old, LineNormalizer.IDENTITY, Anchor.ANYWHERE).places(), old,
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
		while (at >= 0 && matches.size() < LineMatcher.MAX_PLACES) {
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
		return toMatches(matcher.places(), aligned(old, normalizer), replacement);
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
			boolean keep = i == lines.length - 1 && normalizer == LineNormalizer.LOOK_ALIKES;
			lines[i] = keep ? lines[i] : lines[i].stripTrailing();
		}
		return String.join("\n", lines);
	}

	private List<LineMatch> toMatches(List<Place> places, String pattern, String replacement) {
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
		for (Place place : new LineMatcher(this.text, old, LineNormalizer.CONTENT, Anchor.WHOLE_LINES).places()) {
			if (place.column() != 0 || place.line() + lines.size() > this.text.lineCount() || matches.size() > 100) {
				continue;
			}
			List<String> there = new ArrayList<>();
			for (int i = 0; i < lines.size(); i++) {
				there.add(this.text.line(place.line() + i));
			}
			Indentation indentation = Indentation.between(lines, there);
			if (indentation != null) {
				String pattern = lines.stream()
					.map((line) -> indentation.apply(line).stripTrailing())
					.collect(Collectors.joining("\n"));
				String indented = withoutTrailingSpaceOf(old, replacement).lines()
					.map(indentation::apply)
					.collect(Collectors.joining("\n"));
				matches.add(new LineMatch(this.text, place.line(), 0, pattern,
						indented + (replacement.endsWith("\n") ? "\n" : "")));
			}
		}
		return matches;
	}

	/**
	 * Takes trailing white space from the lines that the edit does not change.
	 */
	private static String withoutTrailingSpaceOf(String old, String replacement) {
		Set<String> kept = new HashSet<>(Arrays.asList(old.split("\n", -1)));
		String[] lines = replacement.split("\n", -1);
		for (int i = 0; i < lines.length; i++) {
			lines[i] = kept.contains(lines[i]) ? lines[i].stripTrailing() : lines[i];
		}
		return String.join("\n", lines);
	}

	/**
	 * What a rung found.
	 *
	 * @param rung the rung
	 * @param matches at least one, in ascending order
	 */
	record Found(Rung rung, List<? extends TextMatch> matches) {

	}

}
