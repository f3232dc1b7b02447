package io.kairo.sandbox.bubblewrap;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.SandboxException;
import io.kairo.sandbox.support.Shell;

/**
 * The shell that runs commands in the sandbox: bash if it is installed system-wide, else
 * sh.
 *
 * @param shell the shell
 * @param prelude the script that it runs before a command
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
	 * Returns the program and arguments that run a command.
	 * @throws SandboxException if the command contains a NUL or is too long
	 */
	List<String> arguments(String command) {
		return this.shell.arguments(command, Bubblewrap.REPORT, this.prelude);
	}

}
