package io.kairo.autoconfigure.observation;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A command that runs, or ran. Neither the command itself nor its output is here: both
 * may hold secrets of the tenant. Immutable.
 *
 * @param id tells it from every other command of this application
 * @param backend the sandbox
 * @param tenant who it runs for
 * @param started when it started
 * @param duration how long it took, null while it runs
 * @param outcome how it ended: exited, failed, timed_out or cancelled; running before
 * @param exitCode its exit code, null while it runs
 * @since 0.1.0
 */
public record ExecutionSummary(long id, String backend, String tenant, Instant started, @Nullable Duration duration,
		String outcome, @Nullable Integer exitCode) {

}
