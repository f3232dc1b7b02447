package io.kairo.governance.audit;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The state of a sink. Immutable.
 *
 * @param name the name of the sink
 * @param written the number of records that were written since the start
 * @param failed the number of records that were not written since the start
 * @param pending the number of records that wait for the sink
 * @param stuck whether the sink has taken longer than the timeout for a write and has not
 * returned from it
 * @param failingSince the time of the first failure since the last success, null if the
 * last write succeeded
 * @param failure the reason, null if the last write succeeded
 */
public record SinkState(String name, long written, long failed, int pending, boolean stuck,
		@Nullable Instant failingSince, @Nullable String failure) {

}
