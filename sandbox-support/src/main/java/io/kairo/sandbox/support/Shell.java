package io.kairo.sandbox.support;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * Turns a command into the arguments of a process. Never a login shell: that costs a
 * hundred milliseconds and reads files of the user. Immutable.
 *
 * @since 0.1.0
 */
public abstract sealed class Shell permits PosixShell, WindowsShell {

	Shell() {
	}

	/**
	 * Finds the shell of this machine: bash, else sh, {@code cmd} on Windows (not
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
	 * Returns a shell of the bash or sh kind.
	 * @param executable its path where the command runs
	 * @return the shell
	 */
	public static Shell posix(String executable) {
		return new PosixShell(executable);
	}

	/**
	 * Returns the arguments of a process that runs a command. Exit code, output,
	 * {@code $?} and line numbers are the command's own. With a report or a prelude a
	 * shell variable {@code kairo_command} holds the command, and a trace by
	 * {@code set -x} is indented by one level in bash.
	 * @param command the command
	 * @param report where to leave the directory that the shell is in when it exits, a
	 * path where the command runs; null to leave it nowhere. Nothing is left when the
	 * command replaces the shell or its exit trap, or is killed
	 * @return program and arguments
	 * @throws SandboxException if the command contains a NUL or is too long
	 */
	public List<String> arguments(String command, @Nullable String report) {
		return arguments(command, report, "");
	}

	/**
	 * Returns the arguments of a process that runs a command after something else.
	 * @param command the command
	 * @param report where to leave the directory that the shell is in when it exits, or
	 * null
	 * @param prelude what the shell runs before: one line without its end, closed by a
	 * separator, that this project has made; empty for nothing
	 * @return program and arguments
	 * @throws SandboxException if the command contains a NUL or is too long
	 * @see #arguments(String, String)
	 */
	public abstract List<String> arguments(String command, @Nullable String report, String prelude);

	static SandboxException invalid(String message, String remedy) {
		return new SandboxException(SandboxErrorCode.INVALID_COMMAND, message, remedy);
	}

}
