package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.kairo.tools.text.Gutter;
import org.jspecify.annotations.Nullable;

/**
 * A change of consecutive lines as a patch states it. Immutable.
 *
 * @param name the name of the hunk in messages
 * @param statedLine the line that it starts in, from 1, by its header; 0 if there is none
 * @param anchors lines that precede it, each after the one before it
 * @param lines its lines
 * @param position its position in the file
 * @param finalNewline the line end of the last line of the file
 */
record Hunk(String name, int statedLine, List<String> anchors, List<Line> lines, Position position,
		FinalNewline finalNewline) {

	/**
	 * Returns the readings of the lines, the literal one first: without blank lines
	 * around them, and without the line numbers of Read.
	 */
	List<List<Line>> readings() {
		List<List<Line>> readings = new ArrayList<>();
		readings.add(this.lines);
		int from = 0;
		int to = this.lines.size();
		while (to > from && this.lines.get(to - 1).isBlankContext()) {
			to--;
		}
		while (from < to && this.lines.get(from).isBlankContext()) {
			from++;
		}
		if (to - from < this.lines.size() && to > from) {
			readings.add(this.lines.subList(from, to));
		}
		List<Line> stripped = stripped(this.lines.subList(from, to));
		if (stripped != null) {
			readings.add(stripped);
		}
		return readings;
	}

	private static @Nullable List<Line> stripped(List<Line> lines) {
		String old = text(lines, Op.CONTEXT, Op.REMOVED);
		String unnumbered = Gutter.strip(old);
		String added = text(lines, Op.ADDED);
		if (old.isEmpty() || unnumbered == null) {
			return null;
		}
		List<String> addedLines = added.isEmpty() ? List.of() : List.of(added.split("\n", -1));
		boolean numbered = Gutter.isIn(added);
		if (numbered && !addedLines.stream().allMatch(Gutter::isIn)) {
			return null; // some numbers belong to the text, but it is unknown which
		}
		String[] kept = unnumbered.split("\n", -1);
		List<Line> stripped = new ArrayList<>();
		int i = 0;
		for (Line line : lines) {
			String text = (line.op() != Op.ADDED) ? kept[i++]
					: numbered ? line.text().substring(line.text().indexOf('\t') + 1) : line.text();
			stripped.add(new Line(line.op(), text));
		}
		return stripped;
	}

	/**
	 * Returns the lines that the file must have, null if there are none.
	 */
	static @Nullable String oldText(List<Line> lines) {
		return lines.stream().allMatch((line) -> line.op() == Op.ADDED) ? null : text(lines, Op.CONTEXT, Op.REMOVED);
	}

	/**
	 * Returns the lines that the file has afterwards.
	 */
	static String newText(List<Line> lines) {
		return text(lines, Op.CONTEXT, Op.ADDED);
	}

	/**
	 * Returns the added lines.
	 */
	String newText() {
		return text(this.lines, Op.ADDED);
	}

	/**
	 * Returns whether the new lines differ from the old ones.
	 */
	boolean changesLines() {
		boolean changes = this.lines.stream().anyMatch((line) -> line.op() != Op.CONTEXT);
		String old = oldText(this.lines);
		return this.finalNewline != FinalNewline.KEEP
				|| (changes && (old == null || !old.equals(newText(this.lines)) || newText(this.lines).isEmpty()));
	}

	private static String text(List<Line> lines, Op... ops) {
		List<Op> wanted = List.of(ops);
		return lines.stream()
			.filter((line) -> wanted.contains(line.op()))
			.map(Line::text)
			.collect(Collectors.joining("\n"));
	}

	/**
	 * A line of a hunk.
	 *
	 * @param op its mark
	 * @param text its text without mark and line end
	 */
	record Line(Op op, String text) {

		boolean isBlankContext() {
			return this.op == Op.CONTEXT && this.text.isBlank();
		}

	}

	/**
	 * The mark of a line.
	 */
	enum Op {

		/** A line that stays. */
		CONTEXT,

		/** A line that the file loses. */
		REMOVED,

		/** A line that the file gets. */
		ADDED

	}

	/**
	 * The position of a hunk in the file.
	 */
	enum Position {

		/** Anywhere. */
		ANYWHERE,

		/** At the end. */
		END_OF_FILE

	}

}
