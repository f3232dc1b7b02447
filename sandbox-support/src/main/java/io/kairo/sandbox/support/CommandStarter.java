package io.kairo.sandbox.support;

import io.kairo.api.sandbox.SandboxException;

/**
 * Starts one command for a {@link CommandRunner}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CommandStarter {

	/**
	 * Starts the command without waiting for it.
	 * @param log where its output goes
	 * @return the running command
	 * @throws SandboxException if it cannot be started; nothing may be left of the
	 * attempt then
	 */
	RunningCommand start(OutputLog log);

}
