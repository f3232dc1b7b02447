package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.List;

/**
 * The lines of a hunk while they are read. For use by one thread.
 */
final class HunkBuilder {

	private final List<Hunk.Line> lines = new ArrayList<>();

	private final List<String> anchors = new ArrayList<>();

	private int statedLine;

	private Hunk.Position position = Hunk.Position.ANYWHERE;

	private boolean oldUnended;

	private boolean newUnended;

	void anchor(String line) {
		this.anchors.add(line);
	}

	void statedLine(int line) {
		this.statedLine = line;
	}

	void endsFile() {
		this.position = Hunk.Position.END_OF_FILE;
	}

	/**
	 * Removes the lines.
	 */
	void clear() {
		this.lines.clear();
	}

	/**
	 * Returns whether there are no lines yet, or only blank ones between hunks.
	 */
	boolean isBlank() {
		return this.lines.stream().allMatch(Hunk.Line::isBlankContext);
	}

	/**
	 * Adds a line with its mark. A line without one is a line that stays.
	 */
	void add(String line) {
		char mark = line.isEmpty() ? ' ' : line.charAt(0);
		switch (mark) {
			case '+' -> add(Hunk.Op.ADDED, line.substring(1));
			case '-' -> add(Hunk.Op.REMOVED, line.substring(1));
			case ' ' -> add(Hunk.Op.CONTEXT, line.isEmpty() ? "" : line.substring(1));
			case '\\' -> markUnended();
			default -> add(Hunk.Op.CONTEXT, line);
		}
	}

	private void add(Hunk.Op op, String text) {
		this.lines.add(new Hunk.Line(op, text));
	}

	/**
	 * Notes that the last line has no end.
	 */
	private void markUnended() {
		if (!this.lines.isEmpty()) {
			Hunk.Op op = this.lines.get(this.lines.size() - 1).op();
			this.oldUnended |= op != Hunk.Op.ADDED;
			this.newUnended |= op != Hunk.Op.REMOVED;
		}
	}

	Hunk build(int number) {
		FinalNewline end = (this.oldUnended == this.newUnended) ? FinalNewline.KEEP
				: this.oldUnended ? FinalNewline.ADD : FinalNewline.REMOVE;
		return new Hunk("hunk " + number, this.statedLine, List.copyOf(this.anchors), List.copyOf(this.lines),
				this.position, end);
	}

}
