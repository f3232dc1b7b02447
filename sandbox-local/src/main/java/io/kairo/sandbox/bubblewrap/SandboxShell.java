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
 * @param prelude what it does before a command
 */
record SandboxShell(Shell shell, String prelude) {

	static SandboxShell find() {
		for (String candidate : List.of("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash")) {
			if (Files.isExecutable(Path.of(candidate))) {
				return new SandboxShell(Shell.posix(candidate), MountPlan.verification(true));
			}
		}
		return new SandboxShell(Shell.posix("/bin/sh"), MountPlan.verification(false));
	}

	/**
	 * Returns program and arguments of a command.
	 * @throws SandboxException if the command contains a NUL or is too long
	 */
	List<String> arguments(String command) {
		return this.shell.arguments(command, Bubblewrap.REPORT, this.prelude);
	}

}
