package io.kairo.sandbox.support;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * A shell, which defines the command line of the process that runs a command. Never a
 * login shell, which takes a hundred milliseconds and reads files of the user. Immutable.
 *
 * @since 0.1.0
 */
public abstract sealed class Shell permits PosixShell, WindowsShell {

	Shell() {
	}

	/**
	 * Searches for the shell of this machine: bash, else sh; {@code cmd} on Windows (not
	 * tested).
	 * @return the shell
	 */
	public static Shell find() {
		if (System.getProperty("os.name").startsWith("Windows")) {
			return new WindowsShell();
		}
		for (String candidate : List.of("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash")) {
			if (Files.isExecutable(Path.of(candidate))) {
				return new PosixShell(candidate);
			}
		}
		Path bash = Executables.find("bash");
		return new PosixShell((bash != null) ? bash.toString() : "/bin/sh");
	}

	/**
	 * Returns a POSIX shell.
	 * @param executable the path of the shell in the environment of the command
	 * @return the shell
	 */
	public static Shell posix(String executable) {
		return new PosixShell(executable);
	}

	/**
	 * Returns the command line of a process that runs a command. Exit code, output,
	 * {@code $?} and line numbers are those of the command. With a report or a prelude,
	 * the shell variable {@code kairo_command} holds the command, and a trace by
	 * {@code set -x} is indented by one level in bash.
	 * @param command the command
	 * @param report the file to which the shell writes its last working directory, as a
	 * path in the environment of the command; null for none. Nothing is written if the
	 * command replaces the shell or its exit trap, or is killed
	 * @return the program and its arguments
	 * @throws SandboxException if the command contains a NUL or is too long
	 */
	public List<String> arguments(String command, @Nullable String report) {
		return arguments(command, report, "");
	}

	/**
	 * Returns the command line of a process that runs a command after a prelude.
	 * @param command the command
	 * @param report the file to which the shell writes its last working directory, or
	 * null
	 * @param prelude a trusted script that the shell runs first: one line without a line
	 * terminator that ends in a separator; empty for none
	 * @return the program and its arguments
	 * @throws SandboxException if the command contains a NUL or is too long
	 * @see #arguments(String, String)
	 */
	public abstract List<String> arguments(String command, @Nullable String report, String prelude);

	static SandboxException invalid(String message, String remedy) {
		return new SandboxException(SandboxErrorCode.INVALID_COMMAND, message, remedy);
	}

}
