package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.kairo.workspace.search.RegexNode.Alternatives;
import io.kairo.workspace.search.RegexNode.Condition;
import io.kairo.workspace.search.RegexNode.OneOf;
import io.kairo.workspace.search.RegexNode.Repeated;
import io.kairo.workspace.search.RegexNode.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * The nondeterministic automaton of a regular expression over bytes. Immutable.
 */
final class RegexProgram {

	/** The instruction that completes a match. */
	static final int MATCH = 0;

	private static final ByteSet WORD = ByteSet.of((c) -> Character.isLetterOrDigit(c) || c == '_', false);

	private final List<Instruction> instructions = new ArrayList<>();

	private final int start;

	private final boolean hasWordConditions;

	RegexProgram(RegexNode node) {
		this.instructions.add(new Instruction(null, null, MATCH, MATCH));
		this.start = add(node, MATCH);
		this.hasWordConditions = this.instructions.stream()
			.anyMatch((instruction) -> instruction.condition == Condition.WORD_BOUNDARY
					|| instruction.condition == Condition.NO_WORD_BOUNDARY);
	}

	static boolean isWord(byte value) {
		return WORD.has(value);
	}

	/**
	 * Adds the instructions of a part.
	 * @param next the instruction after it
	 * @return the first instruction of the part
	 */
	private int add(RegexNode node, int next) {
		if (node instanceof OneOf one) {
			return add(new Instruction(one.set(), null, next, next));
		}
		if (node instanceof Condition condition) {
			return add(new Instruction(null, condition, next, next));
		}
		if (node instanceof Repeated repeated) {
			return repeat(repeated, next);
		}
		if (node instanceof Alternatives alternatives) {
			int first = add(alternatives.parts().get(0), next);
			for (RegexNode part : alternatives.parts().subList(1, alternatives.parts().size())) {
				first = add(new Instruction(null, null, first, add(part, next)));
			}
			return first;
		}
		List<RegexNode> parts = ((Sequence) node).parts();
		int first = next;
		for (int i = parts.size() - 1; i >= 0; i--) {
			first = add(parts.get(i), first);
		}
		return first;
	}

	private int repeat(Repeated repeated, int next) {
		int first = next;
		if (repeated.max() < 0) {
			first = add(new Instruction(null, null, next, next));
			int body = add(repeated.part(), first);
			this.instructions.set(first, new Instruction(null, null, body, next));
		}
		for (int i = repeated.min(); i < repeated.max(); i++) {
			first = add(new Instruction(null, null, add(repeated.part(), first), next));
		}
		for (int i = 0; i < repeated.min(); i++) {
			first = add(repeated.part(), first);
		}
		return first;
	}

	private int add(Instruction instruction) {
		this.instructions.add(instruction);
		return this.instructions.size() - 1;
	}

	int size() {
		return this.instructions.size();
	}

	int start() {
		return this.start;
	}

	Instruction get(int index) {
		return this.instructions.get(index);
	}

	boolean hasWordConditions() {
		return this.hasWordConditions;
	}

	/**
	 * Divides the bytes into classes that no instruction tells apart. Line feeds,
	 * carriage returns and negative bytes have classes of their own.
	 * @return the class of each byte
	 */
	byte[] classes() {
		Set<ByteSet> sets = new LinkedHashSet<>();
		sets.add(ByteSet.of((c) -> c == '\n', false));
		sets.add(ByteSet.of((c) -> c == '\r', false));
		sets.add(ByteSet.of((c) -> false, true));
		if (this.hasWordConditions) {
			sets.add(WORD);
		}
		this.instructions.stream().map(Instruction::set).filter(Objects::nonNull).forEach(sets::add);
		Map<BitSet, Byte> classes = new HashMap<>();
		byte[] classOf = new byte[256];
		for (int b = 0; b < 256; b++) {
			BitSet having = new BitSet();
			int index = 0;
			for (ByteSet set : sets) {
				having.set(index++, set.has((byte) b));
			}
			classOf[b] = classes.computeIfAbsent(having, (key) -> (byte) classes.size());
		}
		return classOf;
	}

	/**
	 * An instruction: a set of bytes, a condition, or neither for two ways to continue.
	 *
	 * @param next the next instruction
	 * @param other another next instruction
	 */
	record Instruction(@Nullable ByteSet set, @Nullable Condition condition, int next, int other) {
	}

}
