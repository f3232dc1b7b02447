package io.kairo.sandbox.support;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.process.ShellWord;
import org.jspecify.annotations.Nullable;

/**
 * A shell. It defines the command line of the process that runs a command. Never a login
 * shell, since that takes a hundred milliseconds and reads files of the user. Immutable.
 */
public abstract sealed class Shell {

	private Shell() {
	}

	/**
	 * Searches for the shell of this machine: bash, also in the search path, else sh;
	 * {@code cmd} on Windows (not tested).
	 * @return the shell
	 */
	public static Shell find() {
		if (System.getProperty("os.name").startsWith("Windows")) {
			return new Windows();
		}
		Shell installed = installedSystemWide();
		Path bash = installed.isBash() ? null : Executables.find("bash");
		return (bash != null) ? posix(bash.toString()) : installed;
	}

	/**
	 * Searches for the POSIX shell in the system directories of this machine, not in the
	 * search path: bash, else sh.
	 * @return the shell
	 */
	public static Shell installedSystemWide() {
		return Stream.of("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash")
			.filter((candidate) -> Files.isExecutable(Path.of(candidate)))
			.findFirst()
			.map(Shell::posix)
			.orElseGet(() -> posix("/bin/sh"));
	}

	/**
	 * Returns a POSIX shell.
	 * @param executable the path of the shell in the environment of the command
	 * @return the shell
	 */
	public static Shell posix(String executable) {
		return new Posix(executable);
	}

	/**
	 * Returns the command line of a process that runs a command. Exit code, output,
	 * {@code $?}, line numbers and the messages of bash belong to the command. With a
	 * report or a prelude, a trace by {@code set -x} is indented by one level in bash.
	 * @param command the command
	 * @param report the file for the last working directory of the shell, as a path in
	 * the environment of the command. It is empty or does not exist; null for none.
	 * Nothing is written if the command cannot be parsed, replaces the shell, calls
	 * {@code exit} with its own exit trap, or is killed
	 * @return the program and its arguments
	 * @throws SandboxException if the command contains a NUL or is too long
	 */
	public List<String> arguments(String command, @Nullable String report) {
		return arguments(command, report, "");
	}

	/**
	 * Returns the command line of a process that runs the command of a request, with its
	 * error output in its standard output if that is
	 * {@linkplain SandboxAttributes#redirectErrorStream() requested}.
	 * @param request the request
	 * @param report the file for the last working directory of the shell, or null
	 * @param prelude a trusted script that the shell runs first, empty for none
	 * @return the program and its arguments
	 * @throws SandboxException if the command contains a NUL or is too long
	 * @see #arguments(String, String, String)
	 */
	public final List<String> arguments(SandboxRequest request, @Nullable String report, String prelude) {
		return arguments(request.command(), report,
				request.attributes().redirectErrorStream() ? "exec 2>&1; " + prelude : prelude);
	}

	/**
	 * Returns the command line of a process that runs a command after a prelude.
	 * @param command the command
	 * @param report the file for the last working directory of the shell, or null
	 * @param prelude a trusted script that the shell runs first: one line without a line
	 * terminator that ends in a separator; empty for none
	 * @return the program and its arguments
	 * @throws SandboxException if the command contains a NUL or is too long
	 * @see #arguments(String, String)
	 */
	public abstract List<String> arguments(String command, @Nullable String report, String prelude);

	/**
	 * Adds the variable {@code SHELL} to the environment of a bash that has none. Without
	 * it, bash searches the databases of users at each start, for up to a third of a
	 * millisecond.
	 * @param environment the environment of the shell, to be changed
	 * @return a prelude that hides the variable from the programs of the command, as bash
	 * does with the one that it sets itself; empty if nothing was added
	 */
	public abstract String prepare(Map<String, String> environment);

	/**
	 * Returns whether the shell is bash, by the name of its executable.
	 * @return whether it is bash
	 */
	public abstract boolean isBash();

	private static SandboxException invalid(String message, String remedy) {
		return new SandboxException(SandboxErrorCode.INVALID_COMMAND, message, remedy);
	}

	/**
	 * A POSIX shell such as bash or sh.
	 */
	static final class Posix extends Shell {

		/** MAX_ARG_STRLEN of Linux, see execve(2), including the final NUL. */
		private static final int MOST_BYTES = 128 * 1024;

		/**
		 * Parses the first argument as the body of a function; the second argument is a
		 * line terminator. If that fails or ends the shell, the first argument becomes
		 * the script of a new shell, whose messages do not name {@code eval}.
		 */
		private static final String PARSE = "trap 'exec \"$0\" -c \"$1\"' EXIT; "
				+ "command eval \"kairo() {$2:$2$1$2}\" 2>/dev/null || exit; unset -f kairo; ";

		/**
		 * Runs the first argument as if it were the whole script: lines are counted from
		 * one, and there are no arguments.
		 */
		private static final String EVALUATE = "BASH_EXECUTION_STRING=$1; shift 2; eval \"$BASH_EXECUTION_STRING\"";

		private final String executable;

		private final List<Charset> platform;

		Posix(String executable) {
			this(executable, PlatformCharsets.ofArguments());
		}

		/**
		 * Creates a shell.
		 * @param platform the charsets that the Java platform may use for arguments
		 */
		Posix(String executable, List<Charset> platform) {
			this.executable = executable;
			this.platform = platform;
		}

		@Override
		public List<String> arguments(String command, @Nullable String report, String prelude) {
			if (command.indexOf('\0') >= 0) {
				throw invalid("The command contains a NUL character", "remove it");
			}
			String script = encodable(command) ? command : "eval \"$(printf -- '" + printfFormat(command) + "')\"";
			requireShort(script);
			if (report == null && prelude.isEmpty()) {
				return List.of(this.executable, "-c", script);
			}
			return List.of(this.executable, "-c", prelude + PARSE + evaluation(command, report), this.executable,
					command.startsWith("-") ? " " + script : script, "\n");
		}

		/**
		 * Returns the script that runs a command and reports its last directory: in the
		 * exit trap, and also before that if the command may have one of its own.
		 */
		private static String evaluation(String command, @Nullable String report) {
			if (report == null) {
				return "trap - EXIT; " + EVALUATE;
			}
			String record = "pwd -P >| " + ShellWord.quote(report) + "; } 2>/dev/null";
			String all = "trap " + ShellWord.quote("{ " + record) + " EXIT; " + EVALUATE;
			return command.contains("trap") ? all + "; { kairo=$?; " + record + "; exit \"$kairo\"" : all;
		}

		@Override
		public String prepare(Map<String, String> environment) {
			boolean added = isBash() && environment.putIfAbsent("SHELL", this.executable) == null;
			return added ? "export -n SHELL; " : "";
		}

		@Override
		public boolean isBash() {
			return Path.of(this.executable).endsWith("bash");
		}

		private static void requireShort(String script) {
			int length = script.getBytes(StandardCharsets.UTF_8).length;
			if (length >= MOST_BYTES) {
				throw invalid("The command takes " + length + " bytes, the maximum is " + (MOST_BYTES - 1),
						"write it to a script file and run the file");
			}
		}

		private boolean encodable(String command) {
			return this.platform.stream().allMatch((charset) -> charset.newEncoder().canEncode(command));
		}

		/**
		 * Encodes a command in ASCII as a single-quoted format of printf: in a locale
		 * such as POSIX the Java platform would replace all other characters with
		 * question marks.
		 */
		private static String printfFormat(String command) {
			StringBuilder format = new StringBuilder();
			for (byte octet : command.getBytes(StandardCharsets.UTF_8)) {
				switch (octet) {
					case '%' -> format.append("%%");
					case '\\' -> format.append("\\\\");
					case '\'' -> format.append("'\\''");
					default -> {
						if (octet < 0) {
							format.append('\\').append(Integer.toOctalString(octet & 0xff));
						}
						else {
							format.append((char) octet);
						}
					}
				}
			}
			return format.toString();
		}

	}

	/**
	 * The command interpreter of Windows. Not tested. Writes no report and runs no
	 * prelude.
	 */
	static final class Windows extends Shell {

		/** Maximum length of a command line of cmd.exe. */
		private static final int MOST_CHARS = 8191;

		@Override
		public List<String> arguments(String command, @Nullable String report, String prelude) {
			if (command.indexOf('\0') >= 0) {
				throw invalid("The command contains a NUL character", "remove it");
			}
			if (command.length() >= MOST_CHARS) {
				throw invalid("The command has " + command.length() + " characters, the maximum of cmd is "
						+ (MOST_CHARS - 1), "write it to a script file and run the file");
			}
			return List.of("cmd.exe", "/d", "/c", command);
		}

		@Override
		public String prepare(Map<String, String> environment) {
			return "";
		}

		@Override
		public boolean isBash() {
			return false;
		}

	}

}
