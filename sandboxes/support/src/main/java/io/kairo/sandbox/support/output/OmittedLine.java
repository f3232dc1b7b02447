package io.kairo.sandbox.support.output;

import java.nio.charset.StandardCharsets;

/**
 * Leaves a line out of output that arrives in pieces. Holds back only the beginning of
 * the line, until it is known whether the rest follows. Not safe for use by several
 * threads.
 */
final class OmittedLine {

	private final byte[] line;

	private final Output output;

	private boolean atLineStart = true;

	/** Number of bytes of the line that have arrived and are held back. */
	private int held;

	/**
	 * Creates a filter.
	 * @param line the line without its end, not empty
	 * @param output receives everything else
	 */
	OmittedLine(String line, Output output) {
		this.line = (line + "\n").getBytes(StandardCharsets.UTF_8);
		this.output = output;
	}

	void append(byte[] data, int offset, int length) {
		int end = offset + length;
		int from = offset;
		int matched = this.held;
		for (int i = offset; i < end;) {
			if (!this.atLineStart) {
				this.atLineStart = data[i++] == '\n';
			}
			else if (data[i] == this.line[matched]) {
				i++;
				if (++matched == this.line.length) {
					pass(data, from, i - (matched - this.held));
					from = i;
					matched = 0;
					this.held = 0;
				}
			}
			else {
				pass(this.line, 0, this.held);
				matched = 0;
				this.held = 0;
				this.atLineStart = false;
			}
		}
		pass(data, from, end - (matched - this.held));
		this.held = matched;
	}

	/**
	 * Passes on what is held back, at the end of the output.
	 */
	void end() {
		pass(this.line, 0, this.held);
		this.held = 0;
	}

	private void pass(byte[] data, int from, int to) {
		if (from < to) {
			this.output.append(data, from, to - from);
		}
	}

	/**
	 * Receives output.
	 */
	@FunctionalInterface
	interface Output {

		void append(byte[] data, int offset, int length);

	}

}
