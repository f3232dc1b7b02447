package io.kairo.sandbox.remote.protocol;

import org.jspecify.annotations.Nullable;

/**
 * The end of a command. Immutable.
 *
 * @param exitCode the exit code
 * @param signal the cause of the end, or null
 * @param timedOut whether the worker ended the command after its timeout
 * @param discardedBytes number of bytes of output that were not kept
 * @param outputStorageFailed whether some of them could not be stored
 * @param workingDirectory the last working directory, a path of the worker, or null
 * @param endedOutside whether that directory belongs to the sandbox
 * @param leftoverProcesses number of processes that were still running
 * @param cpuNanos the CPU time of the command in nanoseconds, null if it was not measured
 */
public record EndMessage(int exitCode, @Nullable String signal, boolean timedOut, long discardedBytes,
		boolean outputStorageFailed, @Nullable String workingDirectory, boolean endedOutside, int leftoverProcesses,
		@Nullable Long cpuNanos) {

}
