package io.kairo.sandbox.bubblewrap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A program of the classic Berkeley packet filter as seccomp(2) takes it: records of
 * eight bytes in the order of bytes of the machine. For use by one thread.
 */
final class BpfProgram {

	/** BPF_LD | BPF_W | BPF_ABS. */
	static final int LOAD = 0x20;

	/** BPF_ALU | BPF_AND | BPF_K. */
	static final int AND = 0x54;

	/** BPF_JMP | BPF_JEQ | BPF_K. */
	static final int JUMP_EQUAL = 0x15;

	/** BPF_JMP | BPF_JGE | BPF_K, unsigned. */
	static final int JUMP_AT_LEAST = 0x35;

	/** BPF_RET | BPF_K. */
	static final int RETURN = 0x06;

	private final List<Instruction> instructions = new ArrayList<>();

	/**
	 * Loads a word of the call, see struct seccomp_data.
	 */
	void load(int offset) {
		this.instructions.add(new Instruction(LOAD, 0, 0, offset));
	}

	void and(int mask) {
		this.instructions.add(new Instruction(AND, 0, 0, mask));
	}

	void giveBack(int value) {
		this.instructions.add(new Instruction(RETURN, 0, 0, value));
	}

	/**
	 * Gives something back if what was loaded equals a value.
	 */
	void giveBackIfEqual(int value, int result) {
		this.instructions.add(new Instruction(JUMP_EQUAL, 0, 1, value));
		giveBack(result);
	}

	/**
	 * Gives something back unless what was loaded equals a value.
	 */
	void giveBackUnlessEqual(int value, int result) {
		this.instructions.add(new Instruction(JUMP_EQUAL, 1, 0, value));
		giveBack(result);
	}

	void giveBackIfAtLeast(int value, int result) {
		this.instructions.add(new Instruction(JUMP_AT_LEAST, 0, 1, value));
		giveBack(result);
	}

	/**
	 * Appends another program of 255 instructions at most, to run if what was loaded
	 * equals a value. It has to give something back.
	 */
	void ifEqual(int value, BpfProgram then) {
		this.instructions.add(new Instruction(JUMP_EQUAL, 0, then.instructions.size(), value));
		this.instructions.addAll(then.instructions);
	}

	byte[] toBytes() {
		ByteBuffer bytes = ByteBuffer.allocate(this.instructions.size() * 8).order(ByteOrder.nativeOrder());
		for (Instruction instruction : this.instructions) {
			bytes.putShort((short) instruction.code())
				.put((byte) instruction.ifTrue())
				.put((byte) instruction.ifFalse())
				.putInt(instruction.operand());
		}
		return bytes.array();
	}

	/**
	 * An instruction, struct sock_filter.
	 *
	 * @param code what to do
	 * @param ifTrue how many instructions to skip
	 * @param ifFalse how many instructions to skip
	 * @param operand with what
	 */
	private record Instruction(int code, int ifTrue, int ifFalse, int operand) {

	}

}
