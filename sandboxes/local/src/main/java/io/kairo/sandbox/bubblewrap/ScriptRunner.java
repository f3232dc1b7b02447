package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.LocalProcess;
import io.kairo.sandbox.support.ProcessSpec;
import io.kairo.sandbox.support.limits.ResourceLimits;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.OwnerAccess;
import io.kairo.sandbox.support.process.LauncherThread;
import io.kairo.sandbox.support.process.NativeProcess;

/**
 * Runs short commands of the sandbox itself, and waits for their end.
 *
 * @param control contains the files of the commands
 * @param launcher starts the processes
 */
record ScriptRunner(ControlDirectory control, LauncherThread launcher) {

	private static final long TIMEOUT_SECONDS = 20;

	private static final int MAX_BYTES = 4096;

	/**
	 * Runs a command.
	 * @param bubblewrap the programs to run
	 * @param files the files of the command, with its arguments for bubblewrap
	 * @param mounts the mounts of the command
	 * @param command the program and its arguments in the sandbox
	 * @param network the network of the command
	 * @return the result
	 * @throws InterruptedIOException if the thread is interrupted
	 * @throws IOException if the command cannot be started or does not end in time
	 */
	Result run(Bubblewrap bubblewrap, ControlFiles files, MountArguments mounts, List<String> command,
			Networks.CommandNetwork network) throws IOException {
		ProcessSpec spec = bubblewrap.spec(command, Duration.ZERO, new ResourceLimits(CommandLimits.NONE).prepare(),
				network);
		ProcessBuilder builder = new ProcessBuilder(spec.arguments()).directory(spec.directory().toFile());
		builder.environment().clear();
		builder.environment().putAll(spec.environment());
		Process process = this.launcher.opening(files.inherited(this.control.filter(), network.isOwn()))
			.launch(builder);
		try (InputStream output = process.getInputStream(); InputStream errors = process.getErrorStream()) {
			mounts.release(files, process::isAlive, process.getOutputStream());
			if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
				throw new IOException("it did not end");
			}
			return new Result(process.exitValue(), text(errors) + text(output));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptedIOException("it was interrupted");
		}
		finally {
			process.destroyForcibly();
			// before its input ends: that lets the command run
			files.outermostStatus().firstProcess().ifPresent(LocalProcess::awaitEnd);
			process.getOutputStream().close();
			if (process instanceof NativeProcess direct) {
				direct.close();
			}
		}
	}

	/**
	 * Runs a command in a sandbox of its own that contains a single root.
	 * @param bubblewrap the programs to run
	 * @param system the mounts of the system
	 * @param root the real path of the root
	 * @param command the program and its arguments in the sandbox
	 * @throws IOException if it cannot be started or does not end in time
	 */
	void run(Bubblewrap bubblewrap, SystemMounts system, Path root, List<String> command) throws IOException {
		MountPlan plan = new MountPlan();
		plan.add(MountPlan.Kind.WRITABLE, root, OwnerAccess.Runner.TARGET);
		try (ControlFiles files = this.control.newFiles()) {
			MountArguments mounts = new MountArguments(plan);
			List<String> environment = List.of("--clearenv", "--setenv", "PATH", "/usr/bin:/bin");
			files.writeArguments(bubblewrap.arguments(Network.NONE, system.arguments(this.control, null, plan, false),
					mounts.all(), environment, files, Path.of("/")));
			run(bubblewrap, files, mounts, command, Networks.CommandNetwork.NONE);
		}
	}

	private static String text(InputStream stream) throws IOException {
		return new String(stream.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
	}

	/**
	 * The result of a command.
	 *
	 * @param exitCode the exit code
	 * @param output the beginning of its error output and its output
	 */
	record Result(int exitCode, String output) {

	}

}
