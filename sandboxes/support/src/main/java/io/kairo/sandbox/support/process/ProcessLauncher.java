package io.kairo.sandbox.support.process;

import java.io.IOException;

import io.kairo.api.sandbox.SandboxException;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.output.OutputPumps;
import io.kairo.sandbox.support.output.ProcessOutput;

/**
 * Starts the processes of a backend. Safe for use by several threads.
 */
@FunctionalInterface
public interface ProcessLauncher {

	/**
	 * Starts a process without waiting for it.
	 * @param builder the process to start
	 * @return the process
	 * @throws IOException if the operating system refuses
	 */
	Process launch(ProcessBuilder builder) throws IOException;

	/**
	 * Starts a process whose output is copied to a log.
	 * @param builder the process to start
	 * @param log the log
	 * @return the output, including the process
	 * @throws IOException if the operating system refuses; nothing is left then
	 * @throws SandboxException if no thread can be created to read the output
	 */
	default ProcessOutput launch(ProcessBuilder builder, OutputLog log) throws IOException {
		OutputPumps pumps = OutputPumps.prepare(log);
		try {
			pumps.begin(launch(builder));
			return pumps;
		}
		catch (IOException | RuntimeException ex) {
			pumps.cancel();
			throw ex;
		}
	}

	/**
	 * Returns the role of the started process.
	 * @return {@link Role#COMMAND} unless overridden
	 */
	default Role role() {
		return Role.COMMAND;
	}

	/**
	 * Returns whether the started process leads a session and has the default handling of
	 * signals.
	 * @return false unless overridden; programs that do this are run first then, if they
	 * are installed
	 */
	default boolean createsSession() {
		return false;
	}

	/**
	 * The role of a process.
	 */
	enum Role {

		/** The process is the command. */
		COMMAND,

		/**
		 * The process monitors the command and ends with it. Its end kills the command.
		 * It therefore never gets SIGTERM, only SIGKILL.
		 */
		MONITOR

	}

}
