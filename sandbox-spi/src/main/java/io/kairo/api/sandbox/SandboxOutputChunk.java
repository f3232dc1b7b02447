package io.kairo.api.sandbox;

/**
 * A piece of output and the stream it came from. Not to be modified.
 */
public sealed interface SandboxOutputChunk {

	/**
	 * Returns the bytes, as the command wrote them.
	 * @return at least one byte; shared between subscribers, so not to be changed
	 */
	byte[] data();

	/**
	 * Bytes from the standard output.
	 *
	 * @param data the bytes, not copied
	 */
	record Stdout(byte[] data) implements SandboxOutputChunk {

	}

	/**
	 * Bytes from the standard error.
	 *
	 * @param data the bytes, not copied
	 */
	record Stderr(byte[] data) implements SandboxOutputChunk {

	}

}
