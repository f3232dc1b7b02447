package io.kairo.sandbox.support.process;

import java.io.IOException;

import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.output.ProcessOutput;

/**
 * Starts processes by direct system calls, each in a session of its own. The thread that
 * waits for a process also reads its output.
 */
@FunctionalInterface
public interface DirectLauncher extends ProcessLauncher {

	@Override
	NativeProcess launch(ProcessBuilder builder) throws IOException;

	@Override
	default ProcessOutput launch(ProcessBuilder builder, OutputLog log) throws IOException {
		return launch(builder).copyTo(log);
	}

	@Override
	default boolean createsSession() {
		return true;
	}

}
