package io.kairo.sandbox.support;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.host.HostUser;
import io.kairo.sandbox.support.process.ProcessLauncher;
import org.jspecify.annotations.Nullable;

/**
 * A process that outlives a killed JVM and ends the orphans of a sandbox whose processes
 * bubblewrap confines. The kernel ends bubblewrap's outer process with the JVM, and the
 * PID namespace with that process, but only once the namespace is set up. If the outer
 * process dies earlier, the first process of the namespace waits for it forever (it reads
 * an eventfd(2), and that has no end of file), or continues alone. The reaper closes this
 * gap: it waits for the end of a pipe that only the JVM holds open, and then kills all
 * processes that carry the mark of this sandbox in their environment until none is left.
 * <p>
 * It is started with the first command, and again if it has ended. Safe for use by
 * several threads.
 */
public final class OrphanReaper implements AutoCloseable {

	private static final Logger logger = System.getLogger(OrphanReaper.class.getName());

	private static final String NAME = "KAIRO_SANDBOX";

	/**
	 * The argument is the mark. A line of input says that all commands have ended, so
	 * that one empty scan suffices. Otherwise three scans in a row have to be empty,
	 * since a process may start another one before it is killed.
	 */
	private static final String SCRIPT = """
			missing=3
			read -r line && missing=1
			looks=$missing
			while [ "$missing" -gt 0 ]; do
				[ "$missing" = "$looks" ] || sleep 0.05
				missing=$((missing - 1))
				for file in $(grep -lsF -e "$1" /proc/[0-9]*/environ); do
					missing=$looks
					process=${file%/environ}
					kill -9 "${process#/proc/}"
				done
			done
			""";

	private static final long PATIENCE_SECONDS = 2;

	private final Map<String, String> mark = Map.of(NAME, UUID.randomUUID().toString());

	private final ProcessLauncher launcher;

	private final @Nullable HostUser user;

	private @Nullable Process process;

	/**
	 * Creates a reaper.
	 * @param launcher starts the process
	 * @param user the user whose processes it ends, or null for the user of the JVM
	 */
	public OrphanReaper(ProcessLauncher launcher, @Nullable HostUser user) {
		this.launcher = launcher;
		this.user = user;
	}

	/**
	 * Returns the environment entry that marks the processes to end.
	 * @return the name and the value of a variable
	 */
	public Map<String, String> mark() {
		return this.mark;
	}

	/**
	 * Starts the process if it is not running.
	 * @throws SandboxException if it cannot be started
	 */
	public synchronized void ensureRunning() {
		if (this.process != null && this.process.isAlive()) {
			return;
		}
		File nowhere = new File("/dev/null");
		ProcessBuilder builder = new ProcessBuilder(arguments()).directory(new File("/"))
			.redirectOutput(nowhere)
			.redirectError(nowhere)
			.redirectInput(Redirect.PIPE);
		builder.environment().clear();
		try {
			this.process = this.launcher.launch(builder);
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"The process that ends the commands of a killed JVM could not be started",
					"see the cause; usual reasons are too many processes, too many open files or too little memory",
					ex);
		}
	}

	/**
	 * Lets the process scan a last time and end. Called once all commands have ended.
	 */
	@Override
	public synchronized void close() {
		if (this.process == null) {
			return;
		}
		try (OutputStream line = this.process.getOutputStream()) {
			line.write('\n');
			line.flush();
			this.process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "The process has already ended", ex);
		}
		this.process.destroyForcibly();
		this.process = null;
	}

	/**
	 * Returns the command line. It starts the process in its own session so that a signal
	 * to the process group of the JVM does not reach it.
	 */
	private List<String> arguments() {
		List<String> arguments = new ArrayList<>();
		for (String program : List.of("setsid", "setpriv")) {
			Path path = Executables.find(program);
			if (path != null) {
				arguments.add(path.toString());
			}
		}
		if (this.user != null) {
			arguments.addAll(this.user.setprivArguments());
		}
		arguments.addAll(List.of("--no-new-privs", "/bin/sh", "-c", SCRIPT, "kairo-warden"));
		this.mark.forEach((name, value) -> arguments.add(name + "=" + value));
		return arguments;
	}

}
