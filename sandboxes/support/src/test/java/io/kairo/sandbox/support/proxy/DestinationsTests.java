package io.kairo.sandbox.support.proxy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Destinations} and {@link PublicAddresses}. No name is resolved and no
 * connection is opened.
 */
class DestinationsTests {

	private static final Target TARGET = Objects.requireNonNull(Target.of("ok.com:443", null));

	private final PublicAddresses policy = new PublicAddresses();

	private static InetAddress address(String text) throws UnknownHostException {
		return InetAddress.getByName(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "127.1.2.3", "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "172.16.0.1",
			"172.31.255.255", "192.168.0.1", "169.254.169.254", "169.254.0.1", "100.64.0.1", "100.100.100.200",
			"100.127.255.255", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.1",
			"203.0.113.1", "192.88.99.1", "168.63.129.16", "224.0.0.1", "239.255.255.255", "240.0.0.1",
			"255.255.255.255", "::", "::1", "::7f00:1", "fe80::1", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1",
			"64:ff9b::7f00:1", "64:ff9b:1::a00:1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a9fe:a9fe::",
			"3fff::1", "100::1", "5f00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1" })
	void nonPublicAddressIsForbidden(String text) throws UnknownHostException {
		assertThat(this.policy.permits(address(text))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "1.0.0.1", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.255.255.255",
			"128.0.0.1", "169.253.255.255", "172.15.255.255", "172.32.0.1", "192.0.1.1", "192.167.1.1",
			"198.17.255.255", "198.20.0.1", "223.255.255.255", "2000::1", "2001:200::1", "2606:4700::1", "2a00::1",
			"3ffe::1" })
	void publicAddressIsPermitted(String text) throws UnknownHostException {
		assertThat(this.policy.permits(address(text))).isTrue();
	}

	@Test
	void mappedAddressIsTreatedAsIpVersion4Address() throws UnknownHostException {
		byte[] mapped = new byte[16];
		mapped[10] = -1;
		mapped[11] = -1;
		mapped[12] = 10;
		mapped[15] = 1;
		assertThat(this.policy.permits(Inet6Address.getByAddress("ok.com", mapped, 0))).isFalse();
		mapped[12] = 11;
		assertThat(this.policy.permits(Inet6Address.getByAddress("ok.com", mapped, 0))).isTrue();
	}

	@Test
	void addressesOfThisHostAreForbidden() throws Exception {
		for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
			assertThat(Collections.list(each.getInetAddresses()))
				.allSatisfy((own) -> assertThat(this.policy.permits(own)).isFalse());
		}
	}

	@Test
	void nameIsResolvedOnceAndCheckedAddressIsPinned() throws Exception {
		List<String> asked = new ArrayList<>();
		List<InetAddress> answers = List.of(InetAddress.getByAddress("ok.com", new byte[] { 1, 0, 0, 1 }));
		NameResolver rebinding = (host) -> {
			asked.add(host);
			return (asked.size() == 1) ? answers : List.of(InetAddress.getLoopbackAddress());
		};
		Destinations destinations = new Destinations(AllowList.of(List.of("ok.com")), rebinding, this.policy);
		List<InetSocketAddress> found = destinations.of(TARGET);
		assertThat(asked).containsExactly("ok.com");
		assertThat(found).singleElement().satisfies((pinned) -> {
			assertThat(pinned.isUnresolved()).isFalse();
			assertThat(pinned.getHostString()).isEqualTo("1.0.0.1");
			assertThat(pinned.getPort()).isEqualTo(443);
		});
		assertRefused(destinations, TARGET, Refusal.FORBIDDEN_ADDRESS);
	}

	@Test
	void hostWithAnyForbiddenAddressIsRefused() throws Exception {
		List<InetAddress> mixed = List.of(address("1.0.0.1"), address("192.168.0.1"));
		assertRefused(new Destinations(AllowList.of(List.of("ok.com")), (host) -> mixed, this.policy), TARGET,
				Refusal.FORBIDDEN_ADDRESS);
	}

	@Test
	void unlistedHostIsNotResolved() {
		List<String> asked = new ArrayList<>();
		NameResolver resolver = (host) -> {
			asked.add(host);
			return List.of();
		};
		assertRefused(new Destinations(AllowList.of(List.of("fine.org")), resolver, this.policy), TARGET,
				Refusal.NOT_LISTED);
		assertThat(asked).as("resolved names, which could leak secrets").isEmpty();
	}

	@Test
	void nameWithoutAddressesIsUnknownHost() {
		AllowList list = AllowList.of(List.of("ok.com"));
		assertRefused(new Destinations(list, (host) -> List.of(), this.policy), TARGET, Refusal.UNKNOWN_HOST);
		NameResolver failing = (host) -> {
			throw new UnknownHostException(host);
		};
		assertRefused(new Destinations(list, failing, this.policy), TARGET, Refusal.UNKNOWN_HOST);
	}

	private static void assertRefused(Destinations destinations, Target target, Refusal refusal) {
		assertThatExceptionOfType(ProxyRefusedException.class).isThrownBy(() -> destinations.of(target))
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(refusal));
	}

}
