package io.kairo.governance.audit;

import org.jspecify.annotations.Nullable;

/**
 * The result of a replay. Immutable.
 *
 * @param calls the number of calls that were made again
 * @param difference the first difference, null if there was none
 */
public record ReplayReport(int calls, @Nullable Difference difference) {

	/**
	 * A difference between a recorded call and the same call in a replay.
	 *
	 * @param recorded the record of the end of the call
	 * @param aspect the aspect that differs: {@code arguments} if the call could not be
	 * made again, {@code code}, {@code paths} or {@code commands}
	 * @param expected the recorded value
	 * @param actual the value of the replay
	 */
	public record Difference(AuditRecord recorded, String aspect, String expected, String actual) {

	}

}
