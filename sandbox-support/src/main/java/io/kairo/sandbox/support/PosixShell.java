package io.kairo.sandbox.support;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.kairo.sandbox.support.process.ShellWord;
import org.jspecify.annotations.Nullable;

/**
 * A POSIX shell such as bash or sh.
 */
final class PosixShell extends Shell {

	/** MAX_ARG_STRLEN of Linux, see execve(2), including the final NUL. */
	private static final int MOST_BYTES = 128 * 1024;

	/**
	 * Runs the first argument as if it were the whole script: lines are counted from one,
	 * messages show nothing else, and there are no arguments.
	 */
	private static final String EVALUATE = "kairo_command=$1; shift; eval \"$kairo_command\"";

	private final String executable;

	private final List<Charset> platform;

	PosixShell(String executable) {
		this(executable, PlatformCharsets.ofArguments());
	}

	/**
	 * Creates a shell.
	 * @param platform the charsets that the Java platform may use for arguments
	 */
	PosixShell(String executable, List<Charset> platform) {
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
		String trap = (report != null)
				? "trap " + ShellWord.quote("{ pwd -P >| " + ShellWord.quote(report) + "; } 2>/dev/null") + " EXIT; "
				: "";
		return List.of(this.executable, "-c", prelude + trap + EVALUATE, this.executable,
				command.startsWith("-") ? " " + script : script);
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
	 * Encodes a command in ASCII as a single-quoted format of printf: in a locale such as
	 * POSIX the Java platform would replace all other characters with question marks.
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
