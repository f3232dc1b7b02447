package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What bubblewrap writes down about a sandbox.
 *
 * @param firstProcess the first process of its PID namespace, as the host sees it; empty
 * if the namespace was not made
 * @param exited whether the command ran and ended, with which the namespace does
 */
record BubblewrapStatus(OptionalLong firstProcess, boolean exited) {

	private static final Pattern CHILD = Pattern.compile("\"child-pid\": (\\d{1,18})");

	/**
	 * Reads what is there so far.
	 * @param file where it is written, which may not be there
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
