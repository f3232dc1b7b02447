package io.kairo.autoconfigure.observation;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A summary of a running or ended command. Contains neither the text of the command nor
 * its output, since they may hold secrets of the tenant. Immutable.
 *
 * @param id an id that is unique in this application
 * @param backend the name of the sandbox's backend
 * @param tenant the id of the tenant
 * @param started the start time
 * @param duration the duration, null while the command is running
 * @param outcome the outcome: running, exited, failed, timed_out, cancelled or not_run
 * @param exitCode the exit code, null while the command is running
 * @param background whether it runs in the background of a session
 */
public record ExecutionSummary(long id, String backend, String tenant, Instant started, @Nullable Duration duration,
		String outcome, @Nullable Integer exitCode, boolean background) {

}
