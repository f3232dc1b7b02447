package io.kairo.sandbox.remote;

import java.net.URI;

import org.jspecify.annotations.Nullable;

/**
 * The last known state of a worker, for a {@link WorkerSelector}, health and meters.
 * Immutable.
 *
 * @param address the address, as in the options
 * @param status whether it accepts commands
 * @param commands the commands that it runs or whose output it keeps, as far as is known:
 * the commands of this client now, and of others when the lease was last renewed
 * @param maxCommands the maximum that it accepts; 0 while that is not known
 * @param problem the reason why it is down, for people; null if it is not
 */
public record WorkerState(URI address, Status status, int commands, int maxCommands, @Nullable String problem) {

	/**
	 * Returns the part of the worker that is in use.
	 * @return from 0; 1 or more if it accepts nothing for now
	 */
	public double load() {
		return (double) this.commands / ((this.maxCommands > 0) ? this.maxCommands : Integer.MAX_VALUE);
	}

	/**
	 * Whether a worker accepts commands.
	 */
	public enum Status {

		/** It does, or nothing is known. */
		UP,

		/**
		 * It completes its commands and accepts no others, since it is being shut down.
		 */
		DRAINING,

		/** It did not answer lately, or refuses this client. */
		DOWN

	}

}
