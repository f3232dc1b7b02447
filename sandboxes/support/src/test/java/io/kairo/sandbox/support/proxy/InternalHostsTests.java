package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link InternalHosts} as a part of an {@link AllowList}, with
 * {@link Destinations}. No name is resolved and no connection is opened.
 */
class InternalHostsTests {

	private static final String PUBLIC = "1.0.0.1";

	private static Target target(String text) {
		return Objects.requireNonNull(Target.of(text, null));
	}

	private static Destinations destinations(AllowList list, String... addresses) {
		return new Destinations(list, (host) -> {
			List<InetAddress> found = new ArrayList<>();
			for (String address : addresses) {
				found.add(InetAddress.getByName(address));
			}
			return found;
		}, new PublicAddresses());
	}

	private static Refusal refusal(AllowList list, String target, String... addresses) {
		try {
			assertThat(destinations(list, addresses).of(target(target)))
				.extracting((each) -> each.getAddress().getHostAddress())
				.hasSameSizeAs(addresses);
			return null;
		}
		catch (ProxyRefusedException ex) {
			return ex.refusal();
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			git.corp:443        | git.corp:443   | 10.1.2.3
			git.corp:443        | GIT.corp:443   | 192.168.0.1
			git.corp:443        | git.corp:443   | fd12::3
			git.corp:443        | git.corp:443   | 1.0.0.1
			git.corp:8443       | git.corp:8443  | 100.64.0.1
			localhost:8443      | localhost:8443 | 127.0.0.1
			localhost:8443      | localhost:8443 | ::1
			x.localhost:80      | x.localhost:80 | 127.0.0.1
			10.1.2.3:8080       | 10.1.2.3:8080  | 10.1.2.3
			10.1.2.3:443        | ok.com:443     | 10.1.2.3
			10.1.0.0/16:443     | 10.1.9.9:443   | 10.1.9.9
			10.1.0.0/16:443     | ok.com:443     | 10.1.9.9
			127.0.0.0/8:443     | ok.com:443     | 127.0.0.1
			[fd12:3456::/32]:80 | ok.com:80      | fd12:3456::1
			[fd12::3]:443       | ok.com:443     | fd12::3
			169.254.169.254:80  | ok.com:80      | 169.254.169.254
			169.254.169.254:80  | 169.254.169.254:80 | 169.254.169.254
			[fd00:ec2::254]:80  | ok.com:80      | fd00:ec2::254
			""")
	void entryOpensWhatItNames(String entry, String target, String address) {
		assertThat(refusal(AllowList.of(List.of("ok.com"), List.of(entry)), target, address)).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			git.corp:443        | git.corp:80    | 10.1.2.3        | NOT_LISTED
			git.corp:443        | www.git.corp:443 | 10.1.2.3      | NOT_LISTED
			git.corp:443        | ok.com:443     | 10.1.2.3        | FORBIDDEN_ADDRESS
			git.corp:443        | git.corp:443   | 127.0.0.1       | FORBIDDEN_ADDRESS
			git.corp:443        | git.corp:443   | ::1             | FORBIDDEN_ADDRESS
			git.corp:443        | git.corp:443   | 0.0.0.0         | FORBIDDEN_ADDRESS
			git.corp:443        | git.corp:443   | 224.0.0.1       | FORBIDDEN_ADDRESS
			git.corp:443        | git.corp:443   | 64:ff9b::a01:203 | FORBIDDEN_ADDRESS
			localhost:8443      | localhost:8443 | 10.1.2.3,127.0.0.1,169.254.1.1 | FORBIDDEN_ADDRESS
			localhost:8443      | 127.0.0.1:8443 | 127.0.0.1       | NOT_LISTED
			localhost:8443      | localhost:8080 | 127.0.0.1       | NOT_LISTED
			10.1.2.3:443        | ok.com:80      | 10.1.2.3        | FORBIDDEN_ADDRESS
			10.1.2.3:443        | ok.com:443     | 10.1.2.4        | FORBIDDEN_ADDRESS
			10.1.2.3:443        | ok.com:443     | 10.1.2.3,10.1.2.4 | FORBIDDEN_ADDRESS
			10.1.2.3:443        | 10.1.2.3:80    | 10.1.2.3        | NOT_LISTED
			10.1.0.0/16:443     | 10.2.0.1:443   | 10.2.0.1        | NOT_LISTED
			10.1.0.0/16:443     | ok.com:443     | 10.2.0.1        | FORBIDDEN_ADDRESS
			10.1.0.0/16:443     | www.star.com:443 | 10.1.0.1      | FORBIDDEN_ADDRESS
			10.1.2.3:443        | www.star.com:443 | 10.1.2.3      | FORBIDDEN_ADDRESS
			""")
	void everythingElseIsRefused(String entry, String target, String addresses, Refusal refusal) {
		AllowList list = AllowList.of(List.of("ok.com", "*.star.com"), List.of(entry));
		assertThat(refusal(list, target, addresses.split(","))).isEqualTo(refusal);
	}

	@ParameterizedTest
	@ValueSource(strings = { "169.254.169.254", "169.254.0.1", "fe80::1", "fd00:ec2::254", "fd20:ce::254",
			"100.100.100.200", "192.0.0.192", "168.63.129.16", "::ffff:169.254.169.254" })
	void metadataServiceIsOpenedByItsAddressAlone(String address) throws UnknownHostException {
		List<String> ranges = List.of("ok.com:80", "10.0.0.0/8:80", "100.64.0.0/10:80", "[fc00::/7]:80");
		assertThat(refusal(AllowList.of(List.of("ok.com"), ranges), "ok.com:80", address))
			.isEqualTo(Refusal.FORBIDDEN_ADDRESS);
		String literal = InetAddress.getByName(address).getHostAddress();
		AllowList named = AllowList.of(List.of("ok.com"),
				List.of((literal.contains(":") ? "[" + literal + "]" : literal) + ":80"));
		assertThat(refusal(named, "ok.com:80", address)).isNull();
		assertThat(named.metadata()).hasSize(1);
	}

	@Test
	void metadataServiceOfTheListIsLoggedAsWarning() {
		List<String> records = new CopyOnWriteArrayList<>();
		Handler handler = new Handler() {

			@Override
			public void publish(LogRecord entry) {
				records.add(entry.getLevel() + " " + new SimpleFormatter().formatMessage(entry));
			}

			@Override
			public void flush() {
			}

			@Override
			public void close() {
			}

		};
		Logger logger = Logger.getLogger(AllowListProxy.class.getName());
		logger.addHandler(handler);
		try {
			assertThat(new AllowListProxy(AllowList.of(List.of(), List.of("git.corp:443")))).isNotNull();
			assertThat(records).isEmpty();
			assertThat(new AllowListProxy(AllowList.of(List.of(), List.of("169.254.169.254:80")))).isNotNull();
			assertThat(records).singleElement().asString().startsWith("WARNING").contains("169.254.169.254:80");
		}
		finally {
			logger.removeHandler(handler);
		}
	}

	@Test
	void checkedInternalAddressIsPinned() throws Exception {
		List<String> asked = new ArrayList<>();
		NameResolver rebinding = (host) -> {
			asked.add(host);
			return List.of(InetAddress.getByName((asked.size() == 1) ? "10.1.2.3" : "10.1.2.4"));
		};
		Destinations destinations = new Destinations(AllowList.of(List.of("ok.com"), List.of("10.1.2.3:443")),
				rebinding, new PublicAddresses());
		assertThat(destinations.of(target("ok.com:443"))).singleElement().satisfies((pinned) -> {
			assertThat(pinned.isUnresolved()).isFalse();
			assertThat(pinned.getHostString()).isEqualTo("10.1.2.3");
		});
		assertThat(asked).hasSize(1);
		assertThatExceptionOfType(ProxyRefusedException.class).isThrownBy(() -> destinations.of(target("ok.com:443")))
			.satisfies((ex) -> assertThat(ex.detail()).contains("10.1.2.4 is not public", "internal host"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "git.corp", "git.corp:0", "git.corp:65536", "git.corp:*", "*:443", "*.corp:443",
			".corp:443", "https://git.corp:443", "git.corp:443/x", "10.1.2.3", "10.1.0.0/16", "10.1.2.3/16:443",
			"10.1.0.0/33:443", "10.1.0.0/:443", "10.1.0.0/016:443", "0.0.0.0/0:443", "8.8.0.0/16:443",
			"169.254.0.0/16:80", "100.100.100.200/32:80", "[fd00:ec2::/32]:80", "[fe80::/10]:80", "[::/0]:443",
			"0.0.0.0:80", "224.0.0.1:80", "[::]:80", "fd12::3:443", "[fd12::3]", "[fd12::3%eth0]:443", "[x]:443",
			"[::ffff:10.0.0.1]:443", "[::ffff:a00:1]:443", "2130706433:80", "user@git.corp:443" })
	void entryThatNamesNoHostAndPortIsRefused(String entry) {
		assertThatIllegalArgumentException().isThrownBy(() -> AllowList.of(List.of("ok.com"), List.of(entry)))
			.withMessageContainingAll("'" + entry + "'", "git.corp.example:443");
	}

	@Test
	void wildcardIsNamedAsTheProblem() {
		assertThatIllegalArgumentException().isThrownBy(() -> AllowList.of(List.of(), List.of("*.corp:443")))
			.withMessageContaining("'*.corp:443' has a wildcard");
	}

	@Test
	void localHostsWithoutEffectAreUnreachable() {
		List<String> hosts = List.of("ok.com", "localhost:8443", "127.0.0.1", "10.1.2.3:443", PUBLIC);
		assertThat(AllowList.of(hosts).unreachable()).containsExactly("localhost:8443", "127.0.0.1", "10.1.2.3:443");
		assertThat(AllowList.of(hosts, List.of("localhost:8443", "127.0.0.0/8:80", "10.1.2.3:443")).unreachable())
			.isEmpty();
	}

	@Test
	void commandsUseTheProxyForLocalHostsOfTheList(@TempDir Path directory) {
		SandboxRequest request = new SandboxRequest.Builder("true", directory).build();
		Map<String, String> variables = new HashMap<>();
		new AllowListProxy(AllowList.of(List.of(), List.of("localhost:8443"))).addVariables(variables, request, 3128);
		assertThat(variables).containsEntry("NO_PROXY", "127.0.0.1,::1").containsEntry("no_proxy", "127.0.0.1,::1");
		new AllowListProxy(AllowList.of(List.of("ok.com"))).addVariables(variables, request, 3128);
		assertThat(variables).containsEntry("NO_PROXY", "localhost,127.0.0.1,::1");
	}

}
