package io.kairo.sandbox.bubblewrap;

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
import io.kairo.sandbox.support.Executables;
import io.kairo.sandbox.support.ProcessLauncher;
import org.jspecify.annotations.Nullable;

/**
 * A process that outlives a JVM which is killed, to end what is left of its sandboxes.
 * The kernel ends bubblewrap's outer process with the JVM, and the PID namespace with
 * that, but only once the sandbox is made: the first process of a namespace that loses
 * the outer one before waits for it for ever (it reads an eventfd(2), which has no end of
 * file), or goes on alone. No process in between can close that gap, so one beside does:
 * it waits for the end of a pipe that the JVM alone holds, and then forces all processes
 * to end that were started with the mark of this JVM's sandbox, until none is left.
 * <p>
 * It is started with the first command, and again should somebody have ended it. Safe for
 * use by several threads.
 */
final class OrphanReaper implements AutoCloseable {

	private static final Logger logger = System.getLogger(OrphanReaper.class.getName());

	private static final String NAME = "KAIRO_SANDBOX";

	/**
	 * Takes the mark. A line says that all commands have ended, and one look will do.
	 * Otherwise three in a row have to find nothing, since a process that is about to be
	 * ended may start another one meanwhile.
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

	private final @Nullable RunAs runAs;

	private @Nullable Process process;

	/**
	 * Creates a warden.
	 * @param launcher starts it
	 * @param runAs whose processes it ends, or null for the user of the JVM
	 */
	OrphanReaper(ProcessLauncher launcher, @Nullable RunAs runAs) {
		this.launcher = launcher;
		this.runAs = runAs;
	}

	/**
	 * Returns the environment of the processes that it ends.
	 */
	Map<String, String> mark() {
		return this.mark;
	}

	/**
	 * Starts it unless it is there.
	 * @throws SandboxException if it cannot be started
	 */
	synchronized void watch() {
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
					"The process that ends commands of a killed JVM could not be started",
					"see the cause; usual reasons are too many processes or too little memory", ex);
		}
	}

	/**
	 * Lets it look for a last time and end, once all commands have ended.
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
			logger.log(Level.TRACE, "It has ended already", ex);
		}
		this.process.destroyForcibly();
		this.process = null;
	}

	/**
	 * Returns the arguments of a process in a session of its own, so that a signal to the
	 * JVM's group does not reach it.
	 */
	private List<String> arguments() {
		List<String> arguments = new ArrayList<>();
		for (String program : List.of("setsid", "setpriv")) {
			Path path = Executables.find(program);
			if (path != null) {
				arguments.add(path.toString());
			}
		}
		if (this.runAs != null) {
			arguments.addAll(this.runAs.arguments());
		}
		arguments.addAll(List.of("--no-new-privs", "/bin/sh", "-c", SCRIPT, "kairo-warden"));
		this.mark.forEach((name, value) -> arguments.add(name + "=" + value));
		return arguments;
	}

}
