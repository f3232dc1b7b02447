package io.kairo.sandbox.support.output;

import io.kairo.api.sandbox.SandboxOutputChunk;

/**
 * The stream that output was written to.
 */
public enum OutputChannel {

	/** The standard output. */
	STDOUT((byte) 1),

	/** The standard error. */
	STDERR((byte) 2);

	private final byte code;

	OutputChannel(byte code) {
		this.code = code;
	}

	/**
	 * Returns the number of the channel in a frame: the number of its file descriptor.
	 */
	byte code() {
		return this.code;
	}

	static boolean isCode(byte code) {
		return code == STDOUT.code || code == STDERR.code;
	}

	static SandboxOutputChunk chunk(byte code, byte[] data) {
		return (code == STDOUT.code) ? new SandboxOutputChunk.Stdout(data) : new SandboxOutputChunk.Stderr(data);
	}

}
