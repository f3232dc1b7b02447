package io.kairo.tools.edit;

import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.kairo.tools.ToolError;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The search for the place of a hunk: its lines must be there, after the previous hunk.
 * Of several places, the one at the end of the file, in the stated line or in the block
 * of an anchor is taken, if that is a single one. For use by one thread.
 */
final class HunkFinder {

	private static final int MAX_NAMED_LINES = 20;

	private final EditableText text;

	private final Hunk hunk;

	/** The first line after the previous hunk. */
	private final int from;

	private final String path;

	private final EditTime time;

	HunkFinder(EditableText text, Hunk hunk, int from, String path, EditTime time) {
		this.text = text;
		this.hunk = hunk;
		this.from = from;
		this.path = path;
		this.time = time;
	}

	/**
	 * Finds the place.
	 * @throws EditRefusal if there is none, or not a single one
	 */
	HunkPlace find() throws EditRefusal {
		String given = Hunk.oldText(this.hunk.lines());
		String elided = ElidedLines.added(this.hunk.newText(), Objects.requireNonNullElse(given, ""));
		if (elided != null && HunkPlace.lines(this.text) > 0) {
			throw new EditRefusal(EditHints.elided(EditTerms.HUNK, elided, this.path));
		}
		if (given == null) {
			return insertion();
		}
		if (given.isBlank()) {
			throw new EditRefusal(ToolError.SEVERAL_MATCHES,
					Phrase.of("its old text is blank, and '%s' may have blank lines in many places.", this.path),
					"Add lines around it as context, each after a space, until the place is clear.");
		}
		List<List<Hunk.Line>> readings = this.hunk.readings();
		for (int i = 0; i < readings.size(); i++) {
			List<Hunk.Line> lines = readings.get(i);
			TolerantMatcher.Found found = search(lines, this.from);
			if (found != null) {
				boolean numbered = i > 0 && !lines.get(0).text().equals(firstText());
				MatchLevel level = (numbered && found.level() == MatchLevel.EXACT) ? MatchLevel.LINE_NUMBERS
						: found.level();
				return HunkPlace.of(this.text, single(found), level, lines);
			}
		}
		TolerantMatcher.Found earlier = (this.from > 0) ? search(readings.get(0), 0) : null;
		if (earlier != null) {
			throw new EditRefusal(ToolError.NO_MATCH, Phrase.of(
					"its old text is in '%s' in line %,d, which is not after the previous hunk, whose lines end in "
							+ "line %,d.",
					this.path, this.text.lineAt(earlier.matches().get(0).offset(0)) + 1, this.from),
					"Give the hunks in the order of the file, without overlaps; make one hunk of those that overlap.");
		}
		throw new EditRefusal(new NearestCandidate(this.text, edit(readings.get(readings.size() > 1 ? 1 : 0)),
				EditTerms.HUNK, this.time)
			.explain(this.path));
	}

	private String firstText() {
		return this.hunk.lines()
			.stream()
			.filter((line) -> !line.isBlankContext())
			.findFirst()
			.map(Hunk.Line::text)
			.orElse("");
	}

	private static TextEdit edit(List<Hunk.Line> lines) {
		return new TextEdit(Objects.requireNonNullElse(Hunk.oldText(lines), ""), Hunk.newText(lines),
				TextEdit.Scope.LINES);
	}

	private TolerantMatcher.@Nullable Found search(List<Hunk.Line> lines, int first) {
		TextEdit edit = edit(lines);
		int count = (int) edit.oldString().chars().filter((c) -> c == '\n').count() + 1;
		if (edit.oldString().isBlank()) {
			return null;
		}
		return new TolerantMatcher(this.text, edit, this.time, (match) -> isAt(match, first, count)).find();
	}

	/**
	 * Returns whether a match consists of whole lines that do not precede a line.
	 */
	private boolean isAt(TextMatch match, int first, int count) {
		int offset = match.offset(0);
		int line = this.text.lineAt(offset);
		if (line < first || this.text.start(line) != offset || line + count > HunkPlace.lines(this.text)) {
			return false;
		}
		int last = line + count - 1;
		if (match instanceof TextMatch.Exact) {
			int matched = match.offset(match.pattern().length());
			int end = (last + 1 < this.text.lineCount()) ? this.text.start(last + 1) - this.text.unit()
					: this.text.bytes().length;
			return matched == end
					|| (matched == end - this.text.unit() && this.text.endsWithReturn(end, this.text.start(last)));
		}
		int length = match.pattern().length() - match.pattern().lastIndexOf('\n') - 1;
		String there = this.text.line(last);
		return there.substring(Math.min(length, there.length())).isBlank();
	}

	private TextMatch single(TolerantMatcher.Found found) throws EditRefusal {
		List<TextMatch> matches = found.matches();
		if (matches.size() == 1) {
			return matches.get(0);
		}
		TextMatch match = null;
		if (found.extent() == TolerantMatcher.Extent.ALL) {
			int count = (int) matches.get(0).pattern().chars().filter((c) -> c == '\n').count() + 1;
			int end = HunkPlace.lines(this.text) - count;
			boolean atEnd = this.hunk.position() == Hunk.Position.END_OF_FILE;
			match = atEnd ? only(matches, (line) -> line == end) : null;
			match = (match == null) ? only(matches, (line) -> line == this.hunk.statedLine() - 1) : match;
			if (match == null && !this.hunk.anchors().isEmpty()) {
				AnchoredLines anchored = new AnchoredLines(this.text, this.hunk.anchors(), this.from, this.time);
				match = only(matches, anchored::contains);
			}
		}
		if (match == null) {
			throw several(matches);
		}
		return match;
	}

	private @Nullable TextMatch only(List<TextMatch> matches, Predicate<Integer> line) {
		List<TextMatch> some = matches.stream()
			.filter((match) -> line.test(this.text.lineAt(match.offset(0))))
			.limit(2)
			.toList();
		return (some.size() == 1) ? some.get(0) : null;
	}

	private EditRefusal several(List<TextMatch> matches) {
		String lines = matches.stream()
			.limit(MAX_NAMED_LINES)
			.map((match) -> String.valueOf(this.text.lineAt(match.offset(0)) + 1))
			.collect(Collectors.joining(", "));
		return new EditRefusal(ToolError.SEVERAL_MATCHES,
				Phrase.of("its old text is in '%s' %,d times, in lines %s%s.", this.path, matches.size(), lines,
						(matches.size() > MAX_NAMED_LINES) ? ", …" : ""),
				"Add lines around it as context, each after a space, until it is unique; or put the line that begins "
						+ "the function or section after @@.");
	}

	/**
	 * Returns the place of a hunk without old lines: in an empty file, at its end, or
	 * after an anchor.
	 */
	private HunkPlace insertion() throws EditRefusal {
		int count = HunkPlace.lines(this.text);
		int line = (count == 0 || this.hunk.position() == Hunk.Position.END_OF_FILE) ? count : anchor();
		String added = Hunk.newText(this.hunk.lines());
		TextMatch match = (line < this.text.lineCount()) ? new TextMatch.Line(this.text, line, 0, "", added + "\n")
				: new TextMatch.Exact(this.text.bytes().length, "", "\n" + added, this.text.encoding());
		return new HunkPlace(line, 0, MatchLevel.EXACT, List.of(match));
	}

	private int anchor() throws EditRefusal {
		AnchoredLines anchored = new AnchoredLines(this.text, this.hunk.anchors(), this.from, this.time);
		int line = anchored.onlyLine();
		if (line < 0) {
			throw new EditRefusal(this.hunk.anchors().isEmpty() ? ToolError.NO_MATCH : anchored.code(),
					Phrase.of("it has only added lines, so its place in '%s' is not known%s.", this.path,
							this.hunk.anchors().isEmpty() ? ""
									: Phrase.of(": the line '%s' after @@ is %s",
											Phrase.visible(this.hunk.anchors().get(this.hunk.anchors().size() - 1)),
											anchored.isEmpty() ? "not there" : "there several times")),
					"Add lines of the file around them as context, each after a space.");
		}
		return line + 1;
	}

}
