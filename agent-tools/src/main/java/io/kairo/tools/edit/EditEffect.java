package io.kairo.tools.edit;

import org.jspecify.annotations.Nullable;

/**
 * The effect of a call.
 */
enum EditEffect {

	/** It is written. */
	WRITE,

	/** Its difference is shown. */
	SHOW;

	/**
	 * Returns the effect that a call asks for.
	 * @param dryRun the argument, null for false
	 */
	static EditEffect of(@Nullable Boolean dryRun) {
		return Boolean.TRUE.equals(dryRun) ? SHOW : WRITE;
	}

}
