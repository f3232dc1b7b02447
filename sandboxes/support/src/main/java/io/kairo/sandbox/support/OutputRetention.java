package io.kairo.sandbox.support;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.thread.DaemonThreads;
import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * Releases the output of an ended command whose handle is never closed, so that it does
 * not keep files open forever. Output that is still being read is kept. The reference to
 * the output is weak, so that an unreachable handle can be collected earlier.
 *
 * @param name the name of the command
 * @param retention the time that the output is kept
 * @param deadlines the timer
 */
record OutputRetention(String name, Duration retention, Deadlines deadlines) {

	private static final Logger logger = System.getLogger(OutputRetention.class.getName());

	private static final Duration SHORTEST = Duration.ofMinutes(1);

	/**
	 * Creates the value for a command.
	 * @param timeout the timeout of the command; its output is kept for the same time
	 * after its end, and at least a minute
	 */
	static OutputRetention of(String name, Duration timeout, Deadlines deadlines) {
		return new OutputRetention(name, (timeout.compareTo(SHORTEST) > 0) ? timeout : SHORTEST, deadlines);
	}

	/**
	 * Schedules the release of a log, if it holds files.
	 * @return the scheduled task, or null
	 */
	@Nullable Future<?> releaseLater(OutputLog log) {
		if (!log.holdsFiles()) {
			return null;
		}
		WeakReference<OutputLog> reference = new WeakReference<>(log);
		try {
			return this.deadlines.after(this.retention, () -> release(reference));
		}
		catch (RejectedExecutionException ex) {
			logger.log(Level.TRACE, "The sandbox is closed; the output is released with its handle", ex);
			return null;
		}
	}

	private void release(WeakReference<OutputLog> reference) {
		OutputLog forgotten = reference.get();
		if (forgotten != null) {
			DaemonThreads.startOrRun("kairo-release-" + this.name, () -> forget(forgotten));
		}
	}

	private void forget(OutputLog log) {
		Future<?> later = log.forget() ? null : releaseLater(log);
		if (later != null) {
			logger.log(Level.TRACE, "The output is being read and is kept");
		}
	}

}
