package io.kairo.tools.edit;

import java.time.Duration;

import io.kairo.tools.CallDeadline;

/**
 * The bounds of {@link EditTool}. Immutable.
 *
 * @param maxFileBytes the maximum size, in bytes, of a file; it is held in memory; above
 * zero
 * @param maxSnippetLines the maximum number of lines shown around the changes, above zero
 * @param maxDiffLines the maximum number of lines of a difference, above zero
 * @param deadline the timeout of a call, including the time that it waits for others,
 * above zero
 */
public record EditOptions(int maxFileBytes, int maxSnippetLines, int maxDiffLines, Duration deadline) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public EditOptions {
		if (maxFileBytes <= 0) {
			throw new IllegalArgumentException("maxFileBytes is " + maxFileBytes + ": it must be above zero");
		}
		if (maxSnippetLines <= 0) {
			throw new IllegalArgumentException("maxSnippetLines is " + maxSnippetLines + ": it must be above zero");
		}
		if (maxDiffLines <= 0) {
			throw new IllegalArgumentException("maxDiffLines is " + maxDiffLines + ": it must be above zero");
		}
		CallDeadline.requirePositive(deadline);
	}

	/**
	 * Creates the value with the default deadline of 20 seconds.
	 * @param maxFileBytes a number of bytes above zero
	 * @param maxSnippetLines a number of lines above zero
	 * @param maxDiffLines a number of lines above zero
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public EditOptions(int maxFileBytes, int maxSnippetLines, int maxDiffLines) {
		this(maxFileBytes, maxSnippetLines, maxDiffLines, CallDeadline.DEFAULT_TIMEOUT);
	}

	/**
	 * Returns the defaults: 64 MiB, 40 lines around the change, 60 lines of a difference,
	 * 20 seconds.
	 * @return the defaults
	 */
	public static EditOptions defaults() {
		return new EditOptions(64 << 20, 40, 60);
	}

}
