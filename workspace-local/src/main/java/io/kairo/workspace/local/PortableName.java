package io.kairo.workspace.local;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Decides whether what comes from outside, such as the id of a tenant or of an agent, can
 * be the name of a directory: on every operating system, and without being a path.
 *
 * @since 0.1.0
 */
public final class PortableName {

	/**
	 * What a name has to be, as the end of a sentence about it.
	 */
	public static final String RULE = "up to 200 bytes of letters, digits and . _ @ + = ~ , - or inner spaces, a letter, "
			+ "digit or _ first and no dot last";

	private static final int MAX_BYTES = 200;

	private static final Pattern SAFE = Pattern
		.compile("[\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N} ._@+=~,-]*[\\p{L}\\p{M}\\p{N}_@+=~,-])?");

	/** Names that are devices on Windows, whatever follows a dot. */
	private static final Pattern DEVICE = Pattern.compile("(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\\..*)?");

	private PortableName() {
	}

	/**
	 * Makes one text of all names that differ only in case, which some file systems take
	 * for the same: each character by itself, so that {@code ß} and {@code ss} differ.
	 * @param name any text
	 * @return the text that stands for it
	 */
	public static String fold(String name) {
		return FoldedNames.fold(name);
	}

	/**
	 * Returns whether a text can be a name.
	 * @param text any text
	 * @return true if it is as {@link #RULE} says, composed (NFC), and no device
	 */
	public static boolean is(String text) {
		return text.length() <= MAX_BYTES && SAFE.matcher(text).matches()
				&& !DEVICE.matcher(text.toLowerCase(Locale.ROOT)).matches()
				&& text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES && Normalizer.isNormalized(text, Form.NFC);
	}

}
