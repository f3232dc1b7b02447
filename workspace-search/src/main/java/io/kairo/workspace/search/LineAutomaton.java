package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kairo.workspace.search.RegexProgram.Instruction;
import org.jspecify.annotations.Nullable;

/**
 * A deterministic automaton that finds the lines in which an expression may match. Its
 * states are made when the text needs them, within a budget. If they cost more than the
 * text, it gives up. For use by one thread.
 */
final class LineAutomaton {

	/** Maximum size of the states that are kept. */
	static final int MAX_SIZE = 1 << 17;

	private static final int UNKNOWN = -1;

	private static final int FOUND = -2;

	private final RegexProgram program;

	/** Whether a line feed is text, and carriage returns are. */
	private final boolean wholeText;

	private final boolean seesReturns;

	private final byte[] classOf;

	/** The classes of a carriage return within a line, and of the end of the text. */
	private final int loneReturn;

	private final int textEnd;

	/** The number of classes, which is the length of a row. */
	private final int width;

	/** For each state and class the row of the next state. */
	private int[] table = {};

	private final List<State> states = new ArrayList<>();

	private final Map<State, Integer> rows = new HashMap<>();

	/** The size of the states kept. */
	private int size;

	/** The work since the states were discarded, and the number of bytes searched. */
	private long work;

	private long searched;

	/** The number of times that the states were discarded. */
	private int discards;

	private boolean exhausted;

	private boolean findsAll;

	private final int[] visited;

	private int visit;

	private final int[] pending;

	private int[] reached = new int[16];

	private int reachedCount;

	private boolean complete;

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
		this.visited = new int[program.size()];
		this.pending = new int[2 * program.size() + 2];
		discard();
	}

	/**
	 * Finds a line in which the expression may match. In a line of ASCII characters it
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
		if (this.discards == discards) {
			this.table[row + column] = next;
		}
		return next;
	}

	private int next(State state, byte value, boolean atEnd) {
		boolean lineEnd = atEnd || value == '\n';
		begin();
		int[] from = state.instructions;
		if (state.conditional) {
			for (int instruction : from) {
				follow(instruction, state.before, lineEnd, RegexProgram.isWord(value));
			}
			if (this.complete) {
				return FOUND;
			}
			from = Arrays.copyOf(this.reached, this.reachedCount);
		}
		if (atEnd || (lineEnd && !this.wholeText)) {
			return 0;
		}
		begin();
		for (int index : from) {
			ByteSet set = this.program.get(index).set();
			if (set != null && set.has(value)) {
				reach(this.program.get(index).next());
				if (value < 0) {
					reach(index); // a character may have several bytes
				}
			}
		}
		reach(this.program.start());
		return this.complete ? FOUND : row(before(value));
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
		this.work = 0;
		this.searched = 0;
		begin();
		reach(this.program.start());
		this.findsAll = this.complete;
		row(Before.LINE_START);
	}

	/**
	 * Returns the row of the state of the instructions reached.
	 */
	private int row(Before before) {
		int[] instructions = new int[this.reachedCount];
		int count = 0;
		boolean conditional = false;
		for (int i = 0; i < this.reachedCount; i++) {
			RegexNode.Condition condition = this.program.get(this.reached[i]).condition();
			if (condition != RegexNode.Condition.LINE_START || before == Before.LINE_START) {
				instructions[count++] = this.reached[i];
				conditional |= condition != null;
			}
		}
		instructions = Arrays.copyOf(instructions, count);
		Arrays.sort(instructions);
		State state = new State(instructions, conditional, before);
		Integer known = this.rows.get(state);
		if (known != null) {
			return known;
		}
		if (this.size > MAX_SIZE) {
			if (this.work > this.searched) {
				this.exhausted = true;
				return 0;
			}
			int[] kept = this.reached.clone();
			int keptCount = this.reachedCount;
			discard();
			this.reached = kept;
			this.reachedCount = keptCount;
			return row(before);
		}
		int row = this.states.size() * this.width;
		if (row + this.width > this.table.length) {
			int old = this.table.length;
			this.table = Arrays.copyOf(this.table, old * 2);
			Arrays.fill(this.table, old, this.table.length, UNKNOWN);
		}
		this.states.add(state);
		this.rows.put(state, row);
		this.size += this.width + count + 16;
		return row;
	}

	private void begin() {
		this.visit++;
		this.reachedCount = 0;
		this.complete = false;
	}

	/**
	 * Adds the instructions that are reached without a byte, up to conditions.
	 */
	private void reach(int first) {
		follow(first, null, false, false);
	}

	/**
	 * Adds the instructions that are reached without a byte.
	 * @param before the character before, null to stop at conditions
	 * @param lineEnd whether the line ends
	 * @param word whether the character after is one of a word
	 */
	private void follow(int first, @Nullable Before before, boolean lineEnd, boolean word) {
		int count = 0;
		this.pending[count++] = first;
		while (count > 0) {
			int index = this.pending[--count];
			if (this.visited[index] == this.visit) {
				continue;
			}
			this.visited[index] = this.visit;
			this.work++;
			Instruction instruction = this.program.get(index);
			RegexNode.Condition condition = instruction.condition();
			if (index == RegexProgram.MATCH) {
				this.complete = true;
			}
			else if (instruction.set() != null || (condition != null && before == null)) {
				addReached(index);
			}
			else if (condition == null || (before != null && before.satisfies(condition, lineEnd, word))) {
				this.pending[count++] = instruction.next();
				this.pending[count++] = instruction.other();
			}
		}
	}

	private void addReached(int index) {
		if (this.reachedCount == this.reached.length) {
			this.reached = Arrays.copyOf(this.reached, this.reachedCount * 2);
		}
		this.reached[this.reachedCount++] = index;
	}

	/**
	 * The character before a position.
	 */
	private enum Before {

		/** None: a line starts. */
		LINE_START,

		/** A character of a word. */
		WORD,

		/** Another character. */
		OTHER;

		boolean satisfies(RegexNode.Condition condition, boolean lineEnd, boolean word) {
			return switch (condition) {
				case LINE_START -> this == LINE_START;
				case LINE_END -> lineEnd;
				case WORD_BOUNDARY -> (this == WORD) != word;
				case NO_WORD_BOUNDARY -> (this == WORD) == word;
			};
		}

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
