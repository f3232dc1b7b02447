package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The internal hosts that commands may reach: names, addresses and ranges of addresses,
 * each with a port. There are no wildcards, and an address of a metadata service is
 * reached only if it is named itself. Immutable.
 */
final class InternalHosts {

	private static final Pattern ENTRY = Pattern.compile("(?:\\[([^\\[\\]]*)]|([^:\\[\\]]*)):([1-9]\\d{0,4})");

	private static final List<AddressRange> NO_HOST = AddressRange.all("0.0.0.0/8", "224.0.0.0/4", "255.255.255.255/32",
			"::/128", "ff00::/8");

	private final List<Entry> entries;

	private InternalHosts(List<Entry> entries) {
		this.entries = entries;
	}

	/**
	 * Parses a list.
	 * @param entries the texts, see {@link AllowList#of(List, List)}
	 * @throws IllegalArgumentException if an entry is invalid
	 */
	static InternalHosts of(List<String> entries) {
		return new InternalHosts(entries.stream().map(Entry::parse).toList());
	}

	/**
	 * Returns whether an entry names the target itself, or a range that contains it.
	 */
	boolean permits(Target target) {
		return this.entries.stream().anyMatch((entry) -> entry.port() == target.port() && entry.permits(target.host()));
	}

	/**
	 * Returns whether a target may have an address that is not public.
	 * @param named whether the list of allowed hosts contains the target by name, not by
	 * a wildcard; only such a target may have an address that an entry contains
	 */
	boolean open(Target target, InetAddress address, boolean named) {
		byte[] bytes = AddressRange.bytes(address);
		return this.entries.stream()
			.anyMatch((entry) -> entry.port() == target.port()
					&& ((entry.host() != null) ? entry.opens(target, bytes) : named && entry.contains(bytes)));
	}

	/**
	 * Returns whether an entry is a name or an address, with any port.
	 */
	boolean contain(HostName host) {
		return this.entries.stream().anyMatch((entry) -> entry.permits(host));
	}

	boolean isEmpty() {
		return this.entries.isEmpty();
	}

	/**
	 * Returns the entries that open addresses of metadata services, or of a link.
	 */
	List<String> metadata() {
		return this.entries.stream()
			.filter((entry) -> entry.range() != null && entry.range().isWithin(AddressRange.METADATA))
			.map(Entry::toString)
			.toList();
	}

	@Override
	public String toString() {
		return this.entries.toString();
	}

	/**
	 * An entry of the list: a name, or addresses.
	 *
	 * @param host the name, or null
	 * @param range the address or the range, or null
	 * @param port the port
	 */
	private record Entry(@Nullable HostName host, @Nullable AddressRange range, int port) {

		static Entry parse(String text) {
			Matcher parts = ENTRY.matcher(text);
			int port = parts.matches() ? Integer.parseInt(parts.group(3)) : 0;
			if (port == 0 || port > Target.MOST_PORT) {
				throw invalid(text, text.contains("*") ? "has a wildcard" : "is no host with a port");
			}
			if (parts.group(1) != null) {
				return addresses(text, parts.group(1), port);
			}
			HostName host = HostName.of(parts.group(2));
			if (host == null || host.isAddress()) {
				return addresses(text, parts.group(2), port);
			}
			return new Entry(host, null, port);
		}

		private static Entry addresses(String text, String addresses, int port) {
			AddressRange range;
			try {
				range = AddressRange.of(addresses);
			}
			catch (IllegalArgumentException ex) {
				throw invalid(text, text.contains("*") ? "has a wildcard" : "is no host: " + ex.getMessage());
			}
			if (range.isSingle() && range.isWithin(NO_HOST)) {
				throw invalid(text, "is not the address of a host");
			}
			if (!range.isSingle() && range.isWithin(AddressRange.METADATA)) {
				throw invalid(text, "is a range of metadata services, which are reached by single addresses only");
			}
			if (!range.isSingle() && !range.isWithin(AddressRange.PRIVATE) && !range.isWithin(AddressRange.LOOPBACK)) {
				throw invalid(text, "lies in none of the ranges of internal networks, " + AddressRange.PRIVATE + " and "
						+ AddressRange.LOOPBACK);
			}
			return new Entry(null, range, port);
		}

		boolean permits(HostName other) {
			if (this.host != null || !other.isAddress()) {
				return other.equals(this.host);
			}
			try {
				return contains(InetAddress.getByName(other.text()).getAddress());
			}
			catch (UnknownHostException ex) {
				throw new IllegalStateException("'" + other + "' is an address, but was looked up", ex);
			}
		}

		boolean contains(byte[] address) {
			return this.range != null && this.range.contains(address)
					&& (this.range.isSingle() || !AddressRange.anyContains(AddressRange.METADATA, address));
		}

		/**
		 * Returns whether a target may have an address because of its name.
		 */
		boolean opens(Target target, byte[] address) {
			return target.host().equals(this.host)
					&& ((target.host().isLocal() && AddressRange.anyContains(AddressRange.LOOPBACK, address))
							|| (AddressRange.anyContains(AddressRange.PRIVATE, address)
									&& !AddressRange.anyContains(AddressRange.METADATA, address)));
		}

		private static IllegalArgumentException invalid(String text, String problem) {
			return new IllegalArgumentException("'" + text + "' " + problem
					+ ": write a name, an address or a range of addresses, each with a port, such as git.corp.example:443,"
					+ " 10.1.2.3:8080, 10.1.0.0/16:443 or [fd12:3456::/32]:443");
		}

		@Override
		public String toString() {
			String text = (this.range != null) ? this.range.toString() : String.valueOf(this.host);
			return (text.contains(":") ? "[" + text + "]" : text) + ":" + this.port;
		}

	}

}
