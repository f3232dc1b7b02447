package io.kairo.tools.file;

import io.kairo.tools.ToolNaming;

/**
 * The bounds of {@link ReadTool}. Immutable.
 *
 * @param maxLines how many lines are read where the call does not say
 * @param maxLineCharacters where longer lines are cut
 * @param maxCharacters how many characters the text of a result has at most
 * @param maxWholeBytes how long a file may be whose content is returned whole, as
 * {@link ToolNaming#SNAKE_CASE} promises it
 * @since 0.1.0
 */
public record ReadOptions(int maxLines, int maxLineCharacters, int maxCharacters, int maxWholeBytes) {

	/**
	 * Creates the value.
	 * @param maxLines a number above zero
	 * @param maxLineCharacters a number above zero, at most 1,000,000
	 * @param maxCharacters a number above zero
	 * @param maxWholeBytes a number above zero
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
	}

	/**
	 * Creates the value of a tool that returns whole what may be written by default.
	 * @param maxLines a number above zero
	 * @param maxLineCharacters a number above zero, at most 1,000,000
	 * @param maxCharacters a number above zero
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public ReadOptions(int maxLines, int maxLineCharacters, int maxCharacters) {
		this(maxLines, maxLineCharacters, maxCharacters, WriteOptions.defaults().maxBytes());
	}

	/**
	 * Returns the defaults: 2000 lines, 2000 characters a line, 256 Ki characters, and
	 * whole what {@link WriteOptions#defaults()} lets be written.
	 * @return the defaults
	 */
	public static ReadOptions defaults() {
		return new ReadOptions(2000, 2000, 256 << 10);
	}

}
