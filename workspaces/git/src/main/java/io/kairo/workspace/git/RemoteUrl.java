package io.kairo.workspace.git;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;

/**
 * The address of a remote: absolute, normalised, without a secret, and never parsed as an
 * option by a program. Immutable.
 *
 * @param text the address
 * @param scheme the scheme, in lower case
 * @param name the last part of the path, without {@code .git}
 */
record RemoteUrl(String text, String scheme, String name) {

	private static final int MAX_LENGTH = 1000;

	private static final Pattern URL = Pattern.compile("(?i)(https?|ssh|git|file)://"
			+ "((?:(?<user>[^@/?#]*)@)?(?<host>\\[[0-9a-f:]+]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)?(?::(?<port>\\d{1,5}))?)"
			+ "(?<path>/[a-z0-9._~%+@=,:/-]*)");

	private static final Pattern ENCODED = Pattern.compile("(?i)%(?:2e|2f|5c|00)|%(?![0-9a-f]{2})");

	private static final Pattern SSH_USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");

	/** The default ports of schemes. */
	static final Map<String, String> PORTS = Map.of("https", "443", "http", "80", "ssh", "22", "git", "9418");

	/**
	 * Parses an address.
	 * @throws WorkspacePathException if it is not the address of a remote
	 */
	static RemoteUrl parse(String address) {
		Matcher matcher = URL.matcher(address);
		if (address.length() > MAX_LENGTH || !matcher.matches()) {
			throw bad(address, "write it like https://host/path/repository.git, ssh://git@host/path or file:///path");
		}
		String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
		String user = matcher.group("user");
		if (user != null && !(scheme.equals("ssh") && SSH_USER.matcher(user).matches())) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH, "The hint has a user or a password in "
					+ "the address of its remote: leave it out, and configure a credential for that address");
		}
		String host = matcher.group("host");
		if ((host == null) != scheme.equals("file")) {
			throw bad(address, (host == null) ? "it has no host" : "a file is on this machine: write file:///path");
		}
		String path = path(address, matcher.group("path"));
		String port = matcher.group("port");
		String authority = (host == null) ? "" : ((user != null) ? user + "@" : "") + host.toLowerCase(Locale.ROOT)
				+ ((port == null || port.equals(PORTS.get(scheme))) ? "" : ":" + port);
		String last = path.substring(path.lastIndexOf('/') + 1);
		return new RemoteUrl(scheme + "://" + authority + path, scheme,
				last.endsWith(".git") ? last.substring(0, last.length() - 4) : last);
	}

	private static String path(String address, String path) {
		String trimmed = path.replaceAll("/+$", "");
		if (trimmed.isEmpty() || trimmed.contains("//") || ENCODED.matcher(trimmed).find()) {
			throw bad(address, "it names no repository, or has an empty part or an encoded dot or slash in its path");
		}
		for (String part : trimmed.substring(1).split("/", -1)) {
			if (part.equals("..") || part.equals(".") || part.startsWith("-")) {
				throw bad(address, "parts of its path must not be . or .. or begin with -");
			}
		}
		return trimmed;
	}

	boolean overHttp() {
		return this.scheme.startsWith("http");
	}

	private static WorkspacePathException bad(String address, String remedy) {
		String shown = address.replaceAll("//[^/]*@", "//***@").replaceAll("\\?.*", "?***");
		return new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
				WorkspacePath.quote("git:" + shown) + " is not the address of a Git remote: " + remedy);
	}

	@Override
	public String toString() {
		return this.text;
	}

}
