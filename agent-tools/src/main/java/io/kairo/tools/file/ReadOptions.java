package io.kairo.tools.file;

import java.time.Duration;

import io.kairo.tools.CallDeadline;

/**
 * The bounds of {@link ReadTool} and {@link ReadFileTool}. Immutable.
 *
 * @param maxLines the default maximum number of lines, above zero
 * @param maxLineCharacters the maximum length of a line before it is cut, from 1 to
 * 1,000,000
 * @param maxCharacters the maximum length of the text of a result, above zero
 * @param maxWholeBytes the maximum size, in bytes, of a file that {@link ReadFileTool}
 * returns whole, above zero
 * @param deadline the timeout of a call, above zero. The call then returns the lines
 * found so far
 */
public record ReadOptions(int maxLines, int maxLineCharacters, int maxCharacters, int maxWholeBytes,
		Duration deadline) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public ReadOptions {
		if (maxLines <= 0) {
			throw new IllegalArgumentException("maxLines is " + maxLines + ": it must be above zero");
		}
		if (maxLineCharacters <= 0 || maxLineCharacters > 1_000_000) {
			throw new IllegalArgumentException(
					"maxLineCharacters is " + maxLineCharacters + ": it must be from 1 to 1,000,000");
		}
		if (maxCharacters <= 0) {
			throw new IllegalArgumentException("maxCharacters is " + maxCharacters + ": it must be above zero");
		}
		if (maxWholeBytes <= 0) {
			throw new IllegalArgumentException("maxWholeBytes is " + maxWholeBytes + ": it must be above zero");
		}
		CallDeadline.requirePositive(deadline);
	}

	/**
	 * Creates the value with the default deadline of 20 seconds.
	 * @param maxLines a number above zero
	 * @param maxLineCharacters a number above zero, at most 1,000,000
	 * @param maxCharacters a number above zero
	 * @param maxWholeBytes a number above zero
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public ReadOptions(int maxLines, int maxLineCharacters, int maxCharacters, int maxWholeBytes) {
		this(maxLines, maxLineCharacters, maxCharacters, maxWholeBytes, CallDeadline.DEFAULT_TIMEOUT);
	}

	/**
	 * Returns these bounds with another deadline.
	 * @param deadline the timeout of a call, above zero
	 * @return the bounds
	 * @throws IllegalArgumentException if it is not above zero
	 */
	public ReadOptions withDeadline(Duration deadline) {
		return new ReadOptions(this.maxLines, this.maxLineCharacters, this.maxCharacters, this.maxWholeBytes, deadline);
	}

	/**
	 * Creates the value for a tool that returns every file whole that may be written by
	 * default.
	 * @param maxLines a number above zero
	 * @param maxLineCharacters a number above zero, at most 1,000,000
	 * @param maxCharacters a number above zero
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public ReadOptions(int maxLines, int maxLineCharacters, int maxCharacters) {
		this(maxLines, maxLineCharacters, maxCharacters, WriteOptions.defaults().maxBytes());
	}

	/**
	 * Returns the defaults: 2000 lines, 2000 characters a line, 256 Ki characters, 20
	 * seconds, and whole files up to the default maximum of
	 * {@link WriteOptions#defaults()}.
	 * @return the defaults
	 */
	public static ReadOptions defaults() {
		return new ReadOptions(2000, 2000, 256 << 10);
	}

}
