package io.kairo.sandbox.support;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;

/**
 * Sees to it that the output of an ended command whose handle nobody closes does not keep
 * files open for ever, without keeping the output of one that nobody has any more. While
 * somebody reads, however slowly, it stays.
 *
 * @param name the name of the command
 * @param retention how long the output is kept
 * @param deadlines the clock
 */
record ForgottenOutput(String name, Duration retention, Deadlines deadlines) {

	private static final Logger logger = System.getLogger(ForgottenOutput.class.getName());

	private static final Duration SHORTEST = Duration.ofMinutes(1);

	/**
	 * Creates the value for a command.
	 * @param timeout the time that the command had; its output is kept as long again, and
	 * at least a minute
	 */
	static ForgottenOutput of(String name, Duration timeout, Deadlines deadlines) {
		return new ForgottenOutput(name, (timeout.compareTo(SHORTEST) > 0) ? timeout : SHORTEST, deadlines);
	}

	/**
	 * Releases a log after a while, if it holds files.
	 * @return what is waited for, or null for nothing
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
			logger.log(Level.TRACE, "The sandbox is closed, the output goes when its handle does", ex);
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
			logger.log(Level.TRACE, "Somebody reads the output, so it is kept on");
		}
	}

}
