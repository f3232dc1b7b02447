package io.kairo.sandbox.support.proxy;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The name of a host, in lower case: labels of letters, digits and hyphens (RFC 1123,
 * section 2.1), or an IPv4 address as everybody writes it. This is the only place that
 * reads one, for the list as well as for requests: two parsers that disagree are a way
 * around the list. Everything unusual is none: a dot at the end, other spellings of
 * addresses, IPv6, characters that have to be encoded.
 *
 * @param text the name
 */
record HostName(String text) {

	private static final int MOST_CHARACTERS = 253;

	private static final Pattern NAME = Pattern.compile(
			"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)*+([A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)");

	/**
	 * What makes other parsers take a name for an address, see the host parser of the URL
	 * standard of WHATWG.
	 */
	private static final Pattern NUMBER = Pattern.compile("\\d+|0[xX][0-9A-Fa-f]*");

	private static final String BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

	private static final Pattern ADDRESS = Pattern.compile(BYTE + "(?:\\." + BYTE + "){3}");

	/**
	 * Reads a name.
	 * @return null if it is none
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
	 * Returns whether this name ends in another one, after a dot.
	 */
	boolean isBelow(HostName other) {
		return this.text.endsWith("." + other.text);
	}

	boolean hasDot() {
		return this.text.indexOf('.') >= 0;
	}

	@Override
	public String toString() {
		return this.text;
	}

}
