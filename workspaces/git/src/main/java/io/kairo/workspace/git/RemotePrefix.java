package io.kairo.workspace.git;

import java.util.Locale;

/**
 * A prefix of the addresses of remotes, such as {@code https://git.example.org/team} or
 * {@code https://}. It ends at a slash of the address, so that {@code https://host} does
 * not match {@code https://host.example}. Immutable.
 */
public final class RemotePrefix {

	private final String text;

	private RemotePrefix(String text) {
		this.text = text;
	}

	/**
	 * Creates a prefix. The case of the scheme and the host, the default port of the
	 * scheme, and slashes at the end of a path have no effect.
	 * @param text the beginning of an address, with its scheme
	 * @return the prefix
	 */
	public static RemotePrefix of(String text) {
		int authority = text.indexOf("://") + 3;
		int path = text.indexOf('/', authority);
		String head = ((path < 0) ? text : text.substring(0, path)).toLowerCase(Locale.ROOT);
		String port = ":" + RemoteUrl.PORTS.get(head.substring(0, authority - 3));
		if (head.endsWith(port)) {
			head = head.substring(0, head.length() - port.length());
		}
		// the address of a remote has no slash at its end
		return new RemotePrefix((path < 0) ? head : head + text.substring(path).replaceAll("(?<=[^/])/+$", ""));
	}

	/**
	 * Returns whether an address begins with this prefix.
	 * @param url the address of a remote, as workspaces of Git report it
	 * @return whether it is the address of this prefix, or one below it
	 */
	public boolean matches(String url) {
		return url.startsWith(this.text) && (this.text.endsWith("/") || url.length() == this.text.length()
				|| url.charAt(this.text.length()) == '/');
	}

	@Override
	public String toString() {
		return this.text;
	}

}
