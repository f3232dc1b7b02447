package io.kairo.sandbox.bubblewrap;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.ProcessSpec;
import io.kairo.sandbox.support.limits.ResourceLimits;
import io.kairo.sandbox.support.process.ProcessLauncher;

/**
 * Runs short commands of the sandbox itself, and waits for their end.
 *
 * @param control contains the files of the commands
 * @param launcher starts the processes
 */
record ScriptRunner(ControlDirectory control, ProcessLauncher launcher) {

	private static final long TIMEOUT_SECONDS = 20;

	private static final int MAX_BYTES = 4096;

	/**
	 * Runs a command.
	 * @param bubblewrap the programs to run
	 * @param files the files of the command, with its arguments for bubblewrap
	 * @param command the program and its arguments in the sandbox
	 * @param network the network of the command
	 * @return the result
	 * @throws InterruptedIOException if the thread is interrupted
	 * @throws IOException if the command cannot be started or does not end in time
	 */
	Result run(Bubblewrap bubblewrap, CommandFiles files, List<String> command, Networks.CommandNetwork network)
			throws IOException {
		ProcessSpec spec = bubblewrap.spec(files, this.control.filter(), command, false, Duration.ZERO,
				new ResourceLimits(CommandLimits.NONE).prepare(), network);
		ProcessBuilder builder = new ProcessBuilder(spec.arguments()).redirectErrorStream(true)
			.redirectInput(Redirect.from(new File("/dev/null")));
		builder.environment().clear();
		builder.environment().putAll(spec.environment());
		Process process = this.launcher.launch(builder);
		try (InputStream output = process.getInputStream()) {
			if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
				throw new IOException("it did not end");
			}
			return new Result(process.exitValue(), new String(output.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("it was interrupted");
		}
		finally {
			process.destroyForcibly();
		}
	}

	/**
	 * The result of a command.
	 *
	 * @param exitCode the exit code
	 * @param output the beginning of its output and its error output
	 */
	record Result(int exitCode, String output) {

	}

}
