package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Permits only addresses of public hosts. Excluded are the special-purpose address ranges
 * of the IANA registries (RFC 6890), IPv6 addresses that represent an IPv4 address,
 * metadata services of clouds, and the addresses of this host.
 */
final class PublicAddresses implements AddressPolicy {

	private static final List<AddressRange> SPECIAL = Stream
		.of("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
				"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
				"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
		.map(AddressRange::of)
		.toList();

	/** A service for the machines of Azure at an otherwise public address. */
	private static final AddressRange WIRE_SERVER = AddressRange.of("168.63.129.16/32");

	/** The range of IPv6 addresses that have been allocated so far. */
	private static final AddressRange GLOBAL = AddressRange.of("2000::/3");

	private static final int MAPPED_ZEROS = 10;

	@Override
	public boolean permits(InetAddress address) {
		byte[] bytes = unmapped(address.getAddress());
		if (bytes.length > 4 && !GLOBAL.contains(bytes)) {
			return false;
		}
		return !WIRE_SERVER.contains(bytes) && SPECIAL.stream().noneMatch((range) -> range.contains(bytes))
				&& !isOwn(address);
	}

	/**
	 * Returns the IPv4 address in an IPv4-mapped IPv6 address, {@code ::ffff:0:0/96}.
	 */
	private static byte[] unmapped(byte[] address) {
		boolean mapped = address.length > 4 && address[MAPPED_ZEROS] == -1 && address[MAPPED_ZEROS + 1] == -1;
		for (int i = 0; mapped && i < MAPPED_ZEROS; i++) {
			mapped = address[i] == 0;
		}
		return mapped ? Arrays.copyOfRange(address, MAPPED_ZEROS + 2, address.length) : address;
	}

	private static boolean isOwn(InetAddress address) {
		try {
			return NetworkInterface.getByInetAddress(address) != null;
		}
		catch (SocketException ex) {
			return true;
		}
	}

	/**
	 * A range of addresses, such as {@code 10.0.0.0/8}. Immutable.
	 */
	private static final class AddressRange {

		private final byte[] network;

		private final int bits;

		private AddressRange(byte[] network, int bits) {
			this.network = network;
			this.bits = bits;
		}

		/**
		 * Parses a range.
		 * @param text an address, a slash and a number of bits
		 */
		static AddressRange of(String text) {
			int slash = text.indexOf('/');
			try {
				// a literal address is not resolved
				byte[] network = InetAddress.getByName(text.substring(0, slash)).getAddress();
				return new AddressRange(network, Integer.parseInt(text.substring(slash + 1)));
			}
			catch (UnknownHostException ex) {
				throw new IllegalArgumentException("'" + text + "' is not a range of addresses", ex);
			}
		}

		boolean contains(byte[] address) {
			if (address.length != this.network.length) {
				return false;
			}
			for (int i = 0; i < this.bits; i++) {
				int bit = 0x80 >> (i % 8);
				if ((address[i / 8] & bit) != (this.network[i / 8] & bit)) {
					return false;
				}
			}
			return true;
		}

	}

}
