package io.kairo.tools.file;

import java.time.Duration;

import io.kairo.tools.CallDeadline;

/**
 * The bounds of {@link InfoTool} and {@link WorkspaceInfoTool}. Immutable.
 *
 * @param deadline the timeout for counting lines or files, above zero
 */
public record InfoOptions(Duration deadline) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if it is not above zero
	 */
	public InfoOptions {
		CallDeadline.requirePositive(deadline);
	}

	/**
	 * Returns the defaults: 20 seconds.
	 * @return the defaults
	 */
	public static InfoOptions defaults() {
		return new InfoOptions(CallDeadline.DEFAULT_TIMEOUT);
	}

}
