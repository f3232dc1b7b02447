package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A range of addresses, such as {@code 10.0.0.0/8}, or a single address. Immutable.
 */
final class AddressRange {

	/** The ranges of internal networks, from the IANA registries (RFC 6890). */
	static final List<AddressRange> PRIVATE = all("10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16",
			"198.18.0.0/15", "fc00::/7");

	/** The ranges of loopback interfaces. */
	static final List<AddressRange> LOOPBACK = all("127.0.0.0/8", "::1/128");

	/**
	 * The ranges of metadata services of clouds, since these give credentials to every
	 * client, and of single links.
	 */
	static final List<AddressRange> METADATA = all("169.254.0.0/16", "fe80::/10", "fd00:ec2::/32", "fd20:ce::/32",
			"100.100.100.200/32", "192.0.0.192/32", "168.63.129.16/32");

	private static final int MAPPED_ZEROS = 10;

	private final String text;

	private final byte[] network;

	private final int bits;

	private AddressRange(String text, byte[] network, int bits) {
		this.text = text;
		this.network = network;
		this.bits = bits;
	}

	/**
	 * Parses ranges.
	 * @param texts addresses, each with a slash and a number of bits
	 */
	static List<AddressRange> all(String... texts) {
		return Stream.of(texts).map(AddressRange::of).toList();
	}

	/**
	 * Parses a range or an address. Nothing is resolved.
	 * @param text a literal address, with a slash and a number of bits for a range
	 * @throws IllegalArgumentException if the text is neither, or the address has bits
	 * outside of the network
	 */
	static AddressRange of(String text) {
		int slash = text.indexOf('/');
		String address = (slash < 0) ? text : text.substring(0, slash);
		byte[] network = parse(address);
		String count = (network != null) ? "" + network.length * Byte.SIZE : "";
		String bits = (slash < 0) ? count : text.substring(slash + 1);
		if (network == null || !bits.matches("0|[1-9]\\d{0,2}") || Integer.parseInt(bits) > Integer.parseInt(count)) {
			throw new IllegalArgumentException("'" + text + "' is no address or range of addresses");
		}
		AddressRange range = new AddressRange(text, network, Integer.parseInt(bits));
		for (int i = range.bits; i < network.length * Byte.SIZE; i++) {
			if ((network[i / Byte.SIZE] & (0x80 >> (i % Byte.SIZE))) != 0) {
				throw new IllegalArgumentException(
						"'" + text + "' has bits after the first " + bits + ", which a range does not have");
			}
		}
		return range;
	}

	/**
	 * Returns the bytes of a literal address, null if the text is none.
	 */
	private static byte @Nullable [] parse(String address) {
		boolean sixth = address.matches("[0-9A-Fa-f:]*:[0-9A-Fa-f:]*");
		HostName host = sixth ? null : HostName.of(address);
		if (!sixth && (host == null || !host.isAddress())) {
			return null;
		}
		try {
			// a literal address is not resolved
			byte[] bytes = InetAddress.getByName(sixth ? "[" + address + "]" : address).getAddress();
			return (sixth == bytes.length > 4) ? bytes : null;
		}
		catch (UnknownHostException ex) {
			return null;
		}
	}

	/**
	 * Returns the bytes of an address: four for an IPv4-mapped IPv6 address,
	 * {@code ::ffff:0:0/96}.
	 */
	static byte[] bytes(InetAddress address) {
		byte[] bytes = address.getAddress();
		boolean mapped = bytes.length > 4 && bytes[MAPPED_ZEROS] == -1 && bytes[MAPPED_ZEROS + 1] == -1;
		for (int i = 0; mapped && i < MAPPED_ZEROS; i++) {
			mapped = bytes[i] == 0;
		}
		return mapped ? Arrays.copyOfRange(bytes, MAPPED_ZEROS + 2, bytes.length) : bytes;
	}

	/**
	 * Returns whether one of several ranges contains an address.
	 */
	static boolean anyContains(List<AddressRange> ranges, byte[] address) {
		return ranges.stream().anyMatch((range) -> range.contains(address));
	}

	boolean contains(byte[] address) {
		if (address.length != this.network.length) {
			return false;
		}
		for (int i = 0; i < this.bits; i++) {
			int bit = 0x80 >> (i % Byte.SIZE);
			if ((address[i / Byte.SIZE] & bit) != (this.network[i / Byte.SIZE] & bit)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns whether this range lies within one of several others.
	 */
	boolean isWithin(List<AddressRange> others) {
		return others.stream().anyMatch((other) -> this.bits >= other.bits && other.contains(this.network));
	}

	/**
	 * Returns whether this is an address rather than a range.
	 */
	boolean isSingle() {
		return this.text.indexOf('/') < 0;
	}

	@Override
	public String toString() {
		return this.text;
	}

}
