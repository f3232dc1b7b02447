package io.kairo.workspace.search;

import java.util.Arrays;

import io.kairo.workspace.search.RegexNode.Condition;
import io.kairo.workspace.search.RegexProgram.Instruction;
import org.jspecify.annotations.Nullable;

/**
 * The instructions of a program that are reached at a position. For use by one thread.
 */
final class InstructionSet {

	private final RegexProgram program;

	/** For each instruction the last visit, and the current one. */
	private final int[] visited;

	private int visit;

	private final int[] pending;

	private int[] instructions = new int[16];

	private int count;

	private boolean match;

	private long work;

	InstructionSet(RegexProgram program) {
		this.program = program;
		this.visited = new int[program.size()];
		this.pending = new int[2 * program.size() + 2];
	}

	void clear() {
		this.visit++;
		this.count = 0;
		this.match = false;
	}

	/**
	 * Returns the instructions with a set of bytes or a condition.
	 */
	int[] toArray() {
		return Arrays.copyOf(this.instructions, this.count);
	}

	/**
	 * Returns whether the end of a match is reached.
	 */
	boolean isMatch() {
		return this.match;
	}

	/**
	 * Returns the number of instructions visited since the last reset.
	 */
	long work() {
		return this.work;
	}

	void resetWork() {
		this.work = 0;
	}

	/**
	 * Adds the instructions that are reached without a byte, up to conditions.
	 */
	void addAllFrom(int first) {
		addAllFrom(first, null, false, false);
	}

	/**
	 * Adds the instructions that are reached without a byte.
	 * @param before the character before, null to stop at conditions
	 * @param lineEnd whether the line ends
	 * @param word whether the character after is one of a word
	 */
	void addAllFrom(int first, @Nullable Before before, boolean lineEnd, boolean word) {
		int remaining = 0;
		this.pending[remaining++] = first;
		while (remaining > 0) {
			int index = this.pending[--remaining];
			if (this.visited[index] == this.visit) {
				continue;
			}
			this.visited[index] = this.visit;
			this.work++;
			Instruction instruction = this.program.get(index);
			Condition condition = instruction.condition();
			if (index == RegexProgram.MATCH) {
				this.match = true;
			}
			else if (instruction.set() != null || (condition != null && before == null)) {
				add(index);
			}
			else if (condition == null || (before != null && before.satisfies(condition, lineEnd, word))) {
				this.pending[remaining++] = instruction.next();
				this.pending[remaining++] = instruction.other();
			}
		}
	}

	private void add(int index) {
		if (this.count == this.instructions.length) {
			this.instructions = Arrays.copyOf(this.instructions, this.count * 2);
		}
		this.instructions[this.count++] = index;
	}

	/**
	 * The character before a position.
	 */
	enum Before {

		/** None: a line starts. */
		LINE_START,

		/** A character of a word. */
		WORD,

		/** Another character. */
		OTHER;

		boolean satisfies(Condition condition, boolean lineEnd, boolean word) {
			return switch (condition) {
				case LINE_START -> this == LINE_START;
				case LINE_END -> lineEnd;
				case WORD_BOUNDARY -> (this == WORD) != word;
				case NO_WORD_BOUNDARY -> (this == WORD) == word;
			};
		}

	}

}
