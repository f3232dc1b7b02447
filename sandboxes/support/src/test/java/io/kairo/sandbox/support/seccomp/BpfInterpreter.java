package io.kairo.sandbox.support.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Interprets a system call filter as the kernel does, and fails for a filter that the
 * kernel would refuse.
 *
 * @param program instructions of eight bytes each
 * @param architecture the architecture of a call, as reported by the kernel
 */
record BpfInterpreter(byte[] program, int architecture) {

	int run(int number, long... arguments) {
		ByteBuffer call = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
		call.putInt(number).putInt(this.architecture).putLong(0x1234567812345678L);
		for (long argument : arguments) {
			call.putLong(argument);
		}
		ByteBuffer instructions = ByteBuffer.wrap(this.program).order(ByteOrder.nativeOrder());
		int accumulator = 0;
		int at = 0;
		while (true) {
			int base = at * 8;
			int code = instructions.getShort(base) & 0xffff;
			int ifTrue = instructions.get(base + 2) & 0xff;
			int ifFalse = instructions.get(base + 3) & 0xff;
			int operand = instructions.getInt(base + 4);
			at++;
			switch (code) {
				case BpfProgram.LOAD -> accumulator = call.getInt(operand);
				case BpfProgram.AND -> accumulator &= operand;
				case BpfProgram.JUMP_EQUAL -> at += (accumulator == operand) ? ifTrue : ifFalse;
				case BpfProgram.JUMP_AT_LEAST ->
					at += (Integer.compareUnsigned(accumulator, operand) >= 0) ? ifTrue : ifFalse;
				case BpfProgram.RETURN -> {
					return operand;
				}
				default -> throw new IllegalStateException("Instruction " + (at - 1) + " has the code " + code);
			}
		}
	}

}
