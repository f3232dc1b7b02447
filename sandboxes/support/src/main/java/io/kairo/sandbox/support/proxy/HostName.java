package io.kairo.sandbox.support.proxy;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The name of a host in lower case: labels of letters, digits and hyphens (RFC 1123,
 * section 2.1), or an IPv4 address in dotted decimal form. The only parser of hosts, for
 * the list as well as for requests, since two parsers that disagree would allow to bypass
 * the list. Unusual forms are rejected: a trailing dot, other notations of addresses,
 * IPv6, and characters that have to be encoded.
 *
 * @param text the name
 */
record HostName(String text) {

	private static final int MOST_CHARACTERS = 253;

	private static final Pattern NAME = Pattern.compile(
			"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)*+([A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)");

	/**
	 * Matches names that other parsers take for an address, see the host parser of the
	 * WHATWG URL standard.
	 */
	private static final Pattern NUMBER = Pattern.compile("\\d+|0[xX][0-9A-Fa-f]*");

	private static final String BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

	private static final Pattern ADDRESS = Pattern.compile(BYTE + "(?:\\." + BYTE + "){3}");

	/**
	 * Parses a name.
	 * @return the name, or null if it is invalid
	 */
	static @Nullable HostName of(String text) {
		if (text.length() > MOST_CHARACTERS) {
			return null;
		}
		Matcher name = NAME.matcher(text);
		if (!name.matches()) {
			return null;
		}
		if (NUMBER.matcher(name.group(1)).matches() && !ADDRESS.matcher(text).matches()) {
			return null;
		}
		return new HostName(text.toLowerCase(Locale.ROOT));
	}

	boolean isAddress() {
		return ADDRESS.matcher(this.text).matches();
	}

	/**
	 * Returns whether this name is a subdomain of another one.
	 */
	boolean isBelow(HostName other) {
		return this.text.endsWith("." + other.text);
	}

	/**
	 * Returns whether this is a name of the loopback interface (RFC 6761, section 6.3).
	 */
	boolean isLocal() {
		return this.text.equals("localhost") || this.text.endsWith(".localhost");
	}

	boolean hasDot() {
		return this.text.indexOf('.') >= 0;
	}

	@Override
	public String toString() {
		return this.text;
	}

}
