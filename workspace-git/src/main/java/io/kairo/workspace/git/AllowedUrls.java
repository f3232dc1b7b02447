package io.kairo.workspace.git;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The allow-list of remotes. Immutable.
 *
 * @param prefixes the prefixes of their addresses
 */
record AllowedUrls(List<String> prefixes) {

	private static final Pattern PREFIX = Pattern.compile("(?:https|http|ssh|git|file)://[A-Za-z0-9._~%+@:\\[\\]/-]*");

	static void requirePrefix(String prefix) {
		if (!PREFIX.matcher(prefix).matches()) {
			throw new IllegalArgumentException("'" + prefix + "' is not the prefix of the address of a remote: write "
					+ "https, http, ssh, git or file, then ://, then the beginning of host and path");
		}
	}

	private static String normalized(String prefix) {
		int path = prefix.indexOf('/', prefix.indexOf("://") + 3);
		return (path < 0) ? prefix.toLowerCase(Locale.ROOT)
				: prefix.substring(0, path).toLowerCase(Locale.ROOT) + prefix.substring(path);
	}

	/**
	 * Returns whether a remote is allowed. {@code https://host/team} allows
	 * {@code https://host/team/x} but not {@code https://host/teammates/x}.
	 */
	boolean allow(RemoteUrl url) {
		return this.prefixes.stream().map(AllowedUrls::normalized).anyMatch((prefix) -> {
			String text = url.text();
			return text.startsWith(prefix) && (prefix.endsWith("/") || text.length() == prefix.length()
					|| text.charAt(prefix.length()) == '/');
		});
	}

}
