package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A range of addresses, such as {@code 10.0.0.0/8}. Immutable.
 */
final class AddressRange {

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
