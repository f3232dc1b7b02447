package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The hosts that are connected to directly although there is an upstream proxy, in the
 * form of the environment variable {@code NO_PROXY}. Those of the loopback interface are
 * always among them: to the upstream proxy, they would be its own. Immutable.
 */
final class NoProxyList {

	private static final Pattern ENTRY = Pattern.compile("(?:\\*?(\\.))?([^:]*)(?::([1-9]\\d{0,4}))?");

	private final List<Entry> entries;

	private NoProxyList(List<Entry> entries) {
		this.entries = entries;
	}

	/**
	 * Parses a list.
	 * @param hosts the texts, see {@link UpstreamProxy#withNoProxy(List)}
	 * @throws IllegalArgumentException if an entry is invalid
	 */
	static NoProxyList of(List<String> hosts) {
		return new NoProxyList(hosts.stream().map(Entry::parse).toList());
	}

	boolean contains(Target target) {
		byte[] address = address(target.host());
		boolean local = target.host().isLocal()
				|| (address != null && AddressRange.anyContains(AddressRange.LOOPBACK, address));
		return local || this.entries.stream().anyMatch((entry) -> entry.contains(target, address));
	}

	private static byte @Nullable [] address(HostName host) {
		try {
			return host.isAddress() ? InetAddress.getByName(host.text()).getAddress() : null;
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException("'" + host + "' is an address, but was looked up", ex);
		}
	}

	/**
	 * An entry of the list.
	 *
	 * @param host the name, or null for addresses
	 * @param below whether the entry stands only for the names below the name
	 * @param range the addresses, or null for a name
	 * @param port the port, null for all
	 */
	private record Entry(@Nullable HostName host, boolean below, @Nullable AddressRange range, @Nullable Integer port) {

		static Entry parse(String text) {
			Matcher parts = ENTRY.matcher(text);
			if (!parts.matches()) {
				throw invalid(text);
			}
			boolean below = parts.group(1) != null;
			Integer port = (parts.group(3) != null) ? Integer.valueOf(parts.group(3)) : null;
			HostName host = HostName.of(parts.group(2));
			if (port != null && port > Target.MOST_PORT) {
				throw invalid(text);
			}
			if (host != null && !host.isAddress()) {
				return new Entry(host, below, null, port);
			}
			try {
				if (!below) {
					return new Entry(null, false, AddressRange.of(parts.group(2)), port);
				}
			}
			catch (IllegalArgumentException ex) {
				throw invalid(text);
			}
			throw invalid(text);
		}

		boolean contains(Target target, byte @Nullable [] address) {
			if (this.port != null && target.port() != this.port) {
				return false;
			}
			if (this.range != null) {
				return address != null && this.range.contains(address);
			}
			HostName name = this.host;
			return name != null && (target.host().isBelow(name) || (!this.below && target.host().equals(name)));
		}

		private static IllegalArgumentException invalid(String text) {
			return new IllegalArgumentException("'" + text
					+ "' is no host: write a name such as corp.example for itself and the names below it, .corp.example for"
					+ " those below, an IPv4 address, or a range such as 10.0.0.0/8, each with an optional port");
		}

	}

}
