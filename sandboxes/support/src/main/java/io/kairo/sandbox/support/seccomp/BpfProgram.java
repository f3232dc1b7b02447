package io.kairo.sandbox.support.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A program for the classic Berkeley packet filter in the format of seccomp(2): records
 * of eight bytes in native byte order. For use by one thread.
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
	 * Loads a word of the system call, see struct seccomp_data.
	 */
	void load(int offset) {
		this.instructions.add(new Instruction(LOAD, 0, 0, offset));
	}

	void and(int mask) {
		this.instructions.add(new Instruction(AND, 0, 0, mask));
	}

	void returnResult(int value) {
		this.instructions.add(new Instruction(RETURN, 0, 0, value));
	}

	/**
	 * Returns a result if the loaded word equals a value.
	 */
	void returnIfEqual(int value, int result) {
		this.instructions.add(new Instruction(JUMP_EQUAL, 0, 1, value));
		returnResult(result);
	}

	/**
	 * Returns a result unless the loaded word equals a value.
	 */
	void returnUnlessEqual(int value, int result) {
		this.instructions.add(new Instruction(JUMP_EQUAL, 1, 0, value));
		returnResult(result);
	}

	void returnIfAtLeast(int value, int result) {
		this.instructions.add(new Instruction(JUMP_AT_LEAST, 0, 1, value));
		returnResult(result);
	}

	/**
	 * Appends another program of at most 255 instructions, to run if the loaded word
	 * equals a value. It has to return a result on every path.
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
	 * @param code the operation
	 * @param ifTrue number of instructions to skip if a comparison holds
	 * @param ifFalse number of instructions to skip if it does not
	 * @param operand the operand
	 */
	private record Instruction(int code, int ifTrue, int ifFalse, int operand) {

	}

}
