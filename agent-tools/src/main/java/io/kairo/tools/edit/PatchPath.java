package io.kairo.tools.edit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A file as a patch names it. Immutable.
 *
 * @param candidates the paths that may be meant, the most likely one first
 */
record PatchPath(List<String> candidates) {

	private static final String NOTHING = "/dev/null";

	/**
	 * Creates the path of a header without prefixes.
	 */
	static PatchPath literal(String name) {
		return new PatchPath(List.of(unquoted(name.strip())));
	}

	/**
	 * Creates the path of a header of a unified diff.
	 * @param name the name in the header
	 * @param prefix the prefix that Git would put before it
	 * @param prefixed whether the other header has its prefix, or there is none
	 * @return the path, null for none
	 */
	static @Nullable PatchPath of(String name, String prefix, Prefix prefixed) {
		int tab = name.indexOf('\t');
		String path = unquoted(((tab >= 0) ? name.substring(0, tab) : name).strip());
		if (path.equals(NOTHING)) {
			return null;
		}
		Set<String> candidates = new LinkedHashSet<>();
		if (path.startsWith(prefix)) {
			String stripped = path.substring(prefix.length());
			if (prefixed == Prefix.LITERAL) {
				candidates.add(path);
			}
			candidates.add(stripped);
			candidates.add("/" + stripped);
		}
		candidates.add(path);
		return new PatchPath(List.copyOf(candidates));
	}

	/**
	 * Removes the quotes that Git puts around unusual names.
	 */
	private static String unquoted(String name) {
		if (name.length() < 2 || !name.startsWith("\"") || !name.endsWith("\"")) {
			return name;
		}
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		String inner = name.substring(1, name.length() - 1);
		for (int i = 0; i < inner.length();) {
			int c = inner.codePointAt(i);
			i += Character.charCount(c);
			if (c == '\\' && i < inner.length()) {
				int digits = 0;
				while (digits < 3 && i + digits < inner.length() && inner.charAt(i + digits) >= '0'
						&& inner.charAt(i + digits) <= '7') {
					digits++;
				}
				if (digits > 0) {
					bytes.write(Integer.parseInt(inner.substring(i, i + digits), 8));
					i += digits;
					continue;
				}
				int escape = "abtnvfr".indexOf(inner.charAt(i));
				c = (escape >= 0) ? "\u0007\b\t\n\u000b\f\r".charAt(escape) : inner.charAt(i);
				i++;
			}
			bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
		}
		return bytes.toString(StandardCharsets.UTF_8);
	}

	/**
	 * Whether the headers of a file have the prefixes of Git.
	 */
	enum Prefix {

		/** They have, as far as there are two. */
		GIT,

		/** One of them has not. */
		LITERAL

	}

}
