package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The status file that bubblewrap writes for a sandbox.
 *
 * @param firstProcess the id, on the host, of the first process of the PID namespace;
 * empty if the namespace was not created
 * @param exited whether the command ran and ended, and with it the namespace
 */
record BubblewrapStatus(OptionalLong firstProcess, boolean exited) {

	private static final Pattern CHILD = Pattern.compile("\"child-pid\": (\\d{1,18})");

	/**
	 * Reads the status so far.
	 * @param file the status file, which need not exist
	 */
	static BubblewrapStatus read(Path file) {
		String text;
		try {
			text = Files.readString(file, StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			text = "";
		}
		Matcher child = CHILD.matcher(text);
		return new BubblewrapStatus(
				child.find() ? OptionalLong.of(Long.parseLong(child.group(1))) : OptionalLong.empty(),
				text.contains("\"exit-code\""));
	}

}
