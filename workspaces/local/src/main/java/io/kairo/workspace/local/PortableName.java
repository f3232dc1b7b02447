package io.kairo.workspace.local;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;
import java.util.regex.Pattern;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;

/**
 * Decides whether an external id, such as a tenant's or an agent's, can be the name of a
 * directory on every operating system, without being a path.
 */
public final class PortableName {

	/**
	 * The rule for names, to end a sentence.
	 */
	public static final String RULE = "up to 200 bytes of letters, digits and . _ @ + = ~ , - or inner spaces, a letter, "
			+ "digit or _ first and no dot last";

	private static final int MAX_BYTES = 200;

	private static final Pattern SAFE = Pattern
		.compile("[\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N} ._@+=~,-]*[\\p{L}\\p{M}\\p{N}_@+=~,-])?");

	/** Names of devices on Windows, with any extension. */
	private static final Pattern DEVICE = Pattern.compile("(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\\..*)?");

	private PortableName() {
	}

	/**
	 * Folds a name so that names become equal if they differ only in case, or in composed
	 * and decomposed characters. Some file systems treat such names as equal. This is
	 * simple case folding, as in {@link WorkspacePath#PATH_COMPARATOR}: each character is
	 * folded by itself, so that {@code ß} and {@code ss} differ.
	 * @param name any text
	 * @return the folded name, composed (NFC)
	 */
	public static String fold(String name) {
		if (name.chars().allMatch((character) -> character < 0x80)) {
			return foldCase(name);
		}
		String decomposed = Normalizer.normalize(name, Form.NFD);
		return Normalizer.normalize(foldCase(decomposed), Form.NFC);
	}

	/**
	 * Folds a name so that all names that some file system treats as equal become equal:
	 * beyond {@link #fold(String)}, characters whose case has several forms and invisible
	 * characters.
	 * @param name any text
	 * @return the folded name, composed (NFC)
	 */
	public static String foldFully(String name) {
		if (name.chars().allMatch((character) -> character < 0x80)) {
			return name.toLowerCase(Locale.ROOT);
		}
		String visible = name.codePoints()
			.filter((character) -> Character.getType(character) != Character.FORMAT)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
		String lower = Normalizer.normalize(visible, Form.NFD).toLowerCase(Locale.ROOT);
		// a capital sharp s has an upper case only by way of the small one
		return Normalizer.normalize(lower.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT), Form.NFC);
	}

	/**
	 * Folds a name so that names equal under {@link WorkspacePath#PATH_COMPARATOR} become
	 * equal.
	 * @param name any text
	 * @return the folded name
	 */
	public static String foldCase(String name) {
		return name.codePoints()
			.map((character) -> Character.toLowerCase(Character.toUpperCase(character)))
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

	/**
	 * Checks that the id of a tenant can be the name of a directory.
	 * @throws WorkspacePathException if it cannot
	 */
	static String requireTenant(String tenant) {
		if (!is(tenant)) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The tenant " + WorkspacePath.quote(tenant) + " cannot have a directory: its id needs " + RULE);
		}
		return tenant;
	}

	/**
	 * Returns whether a text can be the name of a directory.
	 * @param text any text
	 * @return true if it complies with {@link #RULE}, is composed (NFC), and is not the
	 * name of a device
	 */
	public static boolean is(String text) {
		return text.length() <= MAX_BYTES && SAFE.matcher(text).matches()
				&& !DEVICE.matcher(text.toLowerCase(Locale.ROOT)).matches()
				&& text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES && Normalizer.isNormalized(text, Form.NFC);
	}

}
