package io.kairo.sandbox.bubblewrap;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.SandboxException;
import io.kairo.sandbox.support.Shell;

/**
 * The shell that runs commands: bash of the system, which the sandbox shows, else sh.
 *
 * @param shell makes the arguments
 * @param noticesDeadJvm whether it does not run a command whose JVM was killed while the
 * sandbox was being made
 */
record SandboxShell(Shell shell, boolean noticesDeadJvm) {

	/**
	 * Bubblewrap's first process in the sandbox asks the kernel to end it with the one
	 * outside (PR_SET_PDEATHSIG) when the sandbox is made, and is not told if that was
	 * killed before. It turns on the filter right after, so bash waits for that, and then
	 * asks whether there is still somebody who reads the output: of a pipe that nobody
	 * reads, select(2) says that it can be read.
	 */
	private static final String WAIT = "until IFS= read -r -d '' kairo_command </proc/1/status; "
			+ "[[ $kairo_command == *Seccomp:?2* ]]; do :; done; read -t 0 -u 1 2>/dev/null && exit "
			+ Bubblewrap.NOT_RUN + "; ";

	static SandboxShell find() {
		for (String candidate : List.of("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash")) {
			if (Files.isExecutable(Path.of(candidate))) {
				return new SandboxShell(Shell.posix(candidate), true);
			}
		}
		return new SandboxShell(Shell.posix("/bin/sh"), false);
	}

	/**
	 * Returns program and arguments of a command.
	 * @throws SandboxException if the command contains a NUL or is too long
	 */
	List<String> arguments(String command) {
		return this.shell.arguments(command, Bubblewrap.REPORT, this.noticesDeadJvm ? WAIT : "");
	}

}
