package io.kairo.sandbox.support;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The command interpreter of Windows. Not tested. Writes no report and runs no prelude.
 */
final class WindowsShell extends Shell {

	/** Maximum length of a command line of cmd.exe. */
	private static final int MOST_CHARS = 8191;

	@Override
	public List<String> arguments(String command, @Nullable String report, String prelude) {
		if (command.indexOf('\0') >= 0) {
			throw invalid("The command contains a NUL character", "remove it");
		}
		if (command.length() >= MOST_CHARS) {
			throw invalid(
					"The command has " + command.length() + " characters, the maximum of cmd is " + (MOST_CHARS - 1),
					"write it to a script file and run the file");
		}
		return List.of("cmd.exe", "/d", "/c", command);
	}

}
