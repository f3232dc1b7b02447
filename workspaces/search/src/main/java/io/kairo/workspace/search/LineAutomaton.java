package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kairo.workspace.search.InstructionSet.Before;
import org.jspecify.annotations.Nullable;

/**
 * A deterministic automaton that finds the lines that an expression may match in. Its
 * states are made when the text needs them, within a budget. If they cost more than the
 * text, it gives up. For use by one thread.
 */
final class LineAutomaton {

	/** Maximum size of the states that are kept. */
	static final int MAX_SIZE = 1 << 17;

	/** Maximum work in advance of the bytes searched. */
	private static final int MAX_WORK = 1 << 22;

	private static final int UNKNOWN = -1;

	private static final int FOUND = -2;

	private final RegexProgram program;

	private final InstructionSet reached;

	private final boolean wholeText;

	private final boolean seesReturns;

	private final byte[] classOf;

	/** The classes of a carriage return within a line, and of the end of the text. */
	private final int loneReturn;

	private final int textEnd;

	/** The number of classes, equal to the length of a row. */
	private final int width;

	/** For each state and class the row of the next state. */
	private int[] table = {};

	private final List<State> states = new ArrayList<>();

	private final Map<State, Integer> rows = new HashMap<>();

	/** The size of the states kept. */
	private int size;

	/** The number of bytes searched since the states were discarded. */
	private long searched;

	/** The number of times that the states were discarded. */
	private int discards;

	private boolean exhausted;

	/** Whether an empty match is always possible. */
	private boolean findsAll;

	/**
	 * Creates an automaton.
	 * @param wholeText whether matches may span lines
	 * @param seesReturns whether a carriage return before a line feed is text
	 */
	LineAutomaton(RegexProgram program, boolean wholeText, boolean seesReturns) {
		this.program = program;
		this.wholeText = wholeText;
		this.seesReturns = seesReturns || wholeText;
		this.classOf = program.classes();
		int classes = 0;
		for (byte c : this.classOf) {
			classes = Math.max(classes, (c & 0xFF) + 1);
		}
		this.loneReturn = classes;
		this.textEnd = classes + 1;
		this.width = classes + 2;
		this.reached = new InstructionSet(program);
		discard();
	}

	/**
	 * Finds a line that the expression may match in. In a line of ASCII characters it
	 * does, unless the automaton is exhausted.
	 * @param bytes the text
	 * @param from the start of a line
	 * @param to the end of a line
	 * @return the index of a byte of the first such line, -1 if there is none
	 */
	int find(byte[] bytes, int from, int to) {
		if (this.exhausted || this.findsAll) {
			return from;
		}
		int found = run(bytes, from, to);
		this.searched += ((found < 0) ? to : found) - from;
		return found;
	}

	/**
	 * Returns whether the automaton has given up, so that it finds every line.
	 */
	boolean isExhausted() {
		return this.exhausted;
	}

	/**
	 * Returns the approximate size of the states that are kept.
	 */
	int size() {
		return this.size;
	}

	private int run(byte[] bytes, int from, int to) {
		byte[] classes = this.classOf;
		int[] rows = this.table;
		int row = 0;
		for (int i = from; i < to; i++) {
			int next = rows[row + (classes[bytes[i] & 0xFF] & 0xFF)];
			if (next < 0) {
				next = (next == FOUND) ? FOUND : make(row, bytes, i, to);
				rows = this.table;
				if (next == FOUND || this.exhausted) {
					return i;
				}
			}
			row = next;
		}
		boolean atLineStart = !this.wholeText && to > from && bytes[to - 1] == '\n';
		return (!atLineStart && step(row, this.textEnd, (byte) '\n') == FOUND) ? Math.max(from, to - 1) : -1;
	}

	private int make(int row, byte[] bytes, int index, int to) {
		byte value = bytes[index];
		if (value != '\r' || this.seesReturns) {
			return step(row, this.classOf[value & 0xFF] & 0xFF, value);
		}
		boolean lineEnd = index + 1 < to && bytes[index + 1] == '\n';
		return lineEnd ? row : step(row, this.loneReturn, value);
	}

	/**
	 * Returns the row of the state after a byte.
	 */
	private int step(int row, int column, byte value) {
		int known = this.table[row + column];
		if (known != UNKNOWN) {
			return known;
		}
		State state = this.states.get(row / this.width);
		int discards = this.discards;
		boolean atEnd = column == this.textEnd;
		int next = next(state, value, atEnd);
		this.exhausted |= this.reached.work() > this.searched + MAX_WORK;
		if (this.discards == discards) {
			this.table[row + column] = next;
		}
		return next;
	}

	private int next(State state, byte value, boolean atEnd) {
		boolean lineEnd = atEnd || value == '\n';
		this.reached.clear();
		int[] from = state.instructions;
		if (state.conditional) {
			for (int instruction : from) {
				this.reached.addAllFrom(instruction, state.before, lineEnd, RegexProgram.isWord(value));
			}
			if (this.reached.isMatch()) {
				return FOUND;
			}
			from = this.reached.toArray();
		}
		if (atEnd || (lineEnd && !this.wholeText)) {
			return 0;
		}
		this.reached.clear();
		for (int index : from) {
			ByteSet set = this.program.get(index).set();
			if (set != null && set.has(value)) {
				this.reached.addAllFrom(this.program.get(index).next());
				if (value < 0) {
					this.reached.addAllFrom(index); // a character may have several bytes
				}
			}
		}
		this.reached.addAllFrom(this.program.start());
		return this.reached.isMatch() ? FOUND : row(before(value));
	}

	private Before before(byte value) {
		if (value == '\n') {
			return Before.LINE_START;
		}
		return (this.program.hasWordConditions() && RegexProgram.isWord(value)) ? Before.WORD : Before.OTHER;
	}

	private void discard() {
		this.discards++;
		this.states.clear();
		this.rows.clear();
		this.table = new int[this.width * 8];
		Arrays.fill(this.table, UNKNOWN);
		this.size = 0;
		this.reached.resetWork();
		this.searched = 0;
		this.reached.clear();
		this.reached.addAllFrom(this.program.start());
		this.findsAll = this.reached.isMatch();
		row(Before.LINE_START);
	}

	/**
	 * Returns the row of the state of the instructions reached.
	 */
	private int row(Before before) {
		int[] instructions = this.reached.toArray();
		if (before != Before.LINE_START) {
			instructions = Arrays.stream(instructions)
				.filter((index) -> this.program.get(index).condition() != RegexNode.Condition.LINE_START)
				.toArray();
		}
		Arrays.sort(instructions);
		boolean conditional = Arrays.stream(instructions)
			.anyMatch((index) -> this.program.get(index).condition() != null);
		return row(new State(instructions, conditional, before));
	}

	private int row(State state) {
		Integer known = this.rows.get(state);
		if (known != null) {
			return known;
		}
		if (this.size > MAX_SIZE) {
			if (this.reached.work() > this.searched) {
				this.exhausted = true;
				return 0;
			}
			discard();
			return row(state);
		}
		int row = this.states.size() * this.width;
		if (row + this.width > this.table.length) {
			int old = this.table.length;
			this.table = Arrays.copyOf(this.table, old * 2);
			Arrays.fill(this.table, old, this.table.length, UNKNOWN);
		}
		this.states.add(state);
		this.rows.put(state, row);
		this.size += this.width + state.instructions.length + 16;
		return row;
	}

	/**
	 * A set of instructions.
	 *
	 * @param conditional whether any of them is a condition
	 */
	private record State(int[] instructions, boolean conditional, Before before) {

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof State state && this.before == state.before
					&& Arrays.equals(this.instructions, state.instructions);
		}

		@Override
		public int hashCode() {
			return Arrays.hashCode(this.instructions) * 31 + this.before.hashCode();
		}

	}

}
