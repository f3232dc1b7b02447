package io.kairo.sandbox.support;

import java.io.IOException;

/**
 * Starts the processes of a backend. Safe for use by several threads.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ProcessLauncher {

	/**
	 * Starts a process without waiting for it.
	 * @param builder what to start
	 * @return the process
	 * @throws IOException if the operating system refuses
	 */
	Process launch(ProcessBuilder builder) throws IOException;

	/**
	 * Returns what the process that is started is to the command.
	 * @return {@link Role#COMMAND} unless overridden
	 */
	default Role role() {
		return Role.COMMAND;
	}

	/**
	 * What a process is to the command.
	 *
	 * @since 0.1.0
	 */
	enum Role {

		/** It is the command. */
		COMMAND,

		/**
		 * It watches the command and ends with it, and its own end ends everything by
		 * force. So it is not asked to end, only forced to.
		 */
		MONITOR

	}

}
