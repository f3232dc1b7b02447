package io.kairo.sandbox.support.proxy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HostName} and {@link Target}.
 */
class HostNameTests {

	@ParameterizedTest
	@ValueSource(strings = { "example.org", "a", "xn--bcher-kva.example", "1.example.org", "a-b.c-d", "localhost",
			"3com.example", "192.0.2.1", "0.0.0.0", "255.255.255.255", "a.b.c.d.e.f.g" })
	void plainNameIsAccepted(String text) {
		assertThat(HostName.of(text)).hasToString(text);
	}

	@Test
	void nameIsConvertedToLowerCase() {
		assertThat(HostName.of("EXAMPLE.Org")).hasToString("example.org");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "example.org.", ".example.org", "a..b", "-a.example", "a-.example", "a_b.example",
			"evil.com\0.ok.com", "evil.com\t", " ok.com", "ok.com ", "ok.com\r\nX: y", "ok.com@evil.com",
			"user:pw@ok.com", "ok.com%00evil.com", "%6f%6b.com", "ok.com/evil.com", "ok.com\\evil.com", "ok.com#evil",
			"ok.com?evil", "ok。com", "ⓔxample.org", "éxample.org", "oK.com\u212A", "ok.com\u0130", "[::1]", "::1",
			"[::ffff:127.0.0.1]", "[fe80::1%25eth0]", "0x7f000001", "0x7f.0.0.1", "2130706433", "017700000001", "127.1",
			"127.0.1", "0177.0.0.1", "127.0.0.01", "256.1.1.1", "1.2.3.4.5", "example.0x7f", "example.123",
			"127.0.0.1.", "0x", "*.example.org", "*", "a,b", "ok.com;evil.com" })
	void ambiguousNameIsRejected(String text) {
		assertThat(HostName.of(text)).isNull();
	}

	@Test
	void nameAndLabelHaveMaximumLength() {
		assertThat(HostName.of("a".repeat(63) + ".example")).isNotNull();
		assertThat(HostName.of("a".repeat(64) + ".example")).isNull();
		assertThat(HostName.of("a.".repeat(126) + "a")).isNotNull();
		assertThat(HostName.of("a.".repeat(127) + "a")).isNull();
	}

	@Test
	void targetConsistsOfHostAndPort() {
		assertThat(Target.of("example.org:8443", null)).hasToString("example.org:8443");
		assertThat(Target.of("example.org", 80)).hasToString("example.org:80");
		assertThat(Target.of("example.org", null)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "example.org:", "example.org:0", "example.org:080", "example.org:65536",
			"example.org:99999", "example.org:123456", "example.org:+80", "example.org:-1", "example.org: 80",
			"example.org:80 ", "example.org:80:80", "example.org:0x50", "example.org:８０", "example.org:80@evil.com",
			":80", "[::1]:80", "::1:80", "evil.com:443#.ok.com:443", "evil.com:80\0.ok.com:80" })
	void targetWithInvalidHostOrPortIsRejected(String text) {
		assertThat(Target.of(text, 80)).isNull();
	}

}
