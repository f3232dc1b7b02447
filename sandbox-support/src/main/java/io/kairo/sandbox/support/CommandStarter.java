package io.kairo.sandbox.support;

import io.kairo.api.sandbox.SandboxException;
import io.kairo.sandbox.support.output.OutputLog;

/**
 * Starts one command for a {@link CommandRunner}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CommandStarter {

	/**
	 * Starts the command without waiting for it.
	 * @param log the log for the output of the command
	 * @return the running command
	 * @throws SandboxException if the command cannot be started; the attempt must not
	 * leave anything behind
	 */
	RunningCommand start(OutputLog log);

}
