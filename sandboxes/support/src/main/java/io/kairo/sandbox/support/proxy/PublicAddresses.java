package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/**
 * Permits only addresses of public hosts. Excluded are the special-purpose address ranges
 * of the IANA registries (RFC 6890), IPv6 addresses that represent an IPv4 address,
 * metadata services of clouds, and the addresses of this host.
 */
final class PublicAddresses implements AddressPolicy {

	private static final List<AddressRange> SPECIAL = AddressRange.all("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10",
			"127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
			"192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
			"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

	/** A service for the machines of Azure at an otherwise public address. */
	private static final AddressRange WIRE_SERVER = AddressRange.of("168.63.129.16/32");

	/** The range of IPv6 addresses that have been allocated so far. */
	private static final AddressRange GLOBAL = AddressRange.of("2000::/3");

	@Override
	public boolean permits(InetAddress address) {
		byte[] bytes = AddressRange.bytes(address);
		if (bytes.length > 4 && !GLOBAL.contains(bytes)) {
			return false;
		}
		return !WIRE_SERVER.contains(bytes) && !AddressRange.anyContains(SPECIAL, bytes) && !isOwn(address);
	}

	private static boolean isOwn(InetAddress address) {
		try {
			return NetworkInterface.getByInetAddress(address) != null;
		}
		catch (SocketException ex) {
			return true;
		}
	}

}
