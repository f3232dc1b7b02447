package io.kairo.sandbox.support.proxy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ProxyRequest} and {@link RequestHead}.
 */
class ProxyRequestTests {

	/** Parses a request whose lines are separated by {@code |}. */
	private static ProxyRequest request(String lines) throws ProxyRefusedException {
		return ProxyRequest.of(RequestHead.parse(lines.replace("|", "\r\n") + "\r\n"));
	}

	private static void assertRefused(Refusal refusal, String lines) {
		assertThatExceptionOfType(ProxyRefusedException.class).isThrownBy(() -> request(lines))
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(refusal));
	}

	@Test
	void connectRequestHasTarget() throws ProxyRefusedException {
		ProxyRequest request = request("CONNECT Ok.com:443 HTTP/1.1|Host: whatever");
		assertThat(request.isTunnel()).isTrue();
		assertThat(request.target()).hasToString("ok.com:443");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ok.com", "https://ok.com:443", "ok.com:443/", "ok.com@evil.com:443",
			"ok.com:443@evil.com", "[::1]:443", "[::ffff:7f00:1]:443", "2130706433:443", "0x7f.1:443", "ok.com.:443",
			"ok.com%00.evil.com:443", "ok.com:443?x", "*", "/" })
	void connectRequestWithoutPlainHostAndPortIsRefused(String target) {
		assertRefused(Refusal.BAD_HOST, "CONNECT " + target + " HTTP/1.1|Host: ok.com");
	}

	@Test
	void forwardedHeadOmitsHeadersForProxy() throws ProxyRefusedException {
		ProxyRequest request = request("GET http://OK.com/a?b=//c HTTP/1.1|Host: ok.COM:80|Accept:  */* "
				+ "|Proxy-Connection: keep-alive|Proxy-Authorization: Basic x|Connection: X-Hop, content-length"
				+ "|X-Hop: 1|Content-Length: 3|Upgrade: h2c|X-Empty:");
		assertThat(request.target()).hasToString("ok.com:80");
		assertThat(request.head()).isEqualTo("GET /a?b=//c HTTP/1.1\r\nHost: ok.com\r\nAccept: */*\r\n"
				+ "Content-Length: 3\r\nX-Empty: \r\nConnection: close\r\n\r\n");
		assertThat(request.bodyBytes()).isEqualTo(3);
	}

	@ParameterizedTest
	@CsvSource({ "http://ok.com, GET / HTTP/1.0", "http://ok.com?x, GET /?x HTTP/1.0",
			"http://ok.com/, GET / HTTP/1.0" })
	void forwardedPathBeginsWithSlash(String url, String line) throws ProxyRefusedException {
		assertThat(request("GET " + url + " HTTP/1.0").head()).startsWith(line + "\r\nHost: ok.com\r\n");
	}

	@Test
	void hostHeaderKeepsPort() throws ProxyRefusedException {
		assertThat(request("GET http://ok.com:8080/ HTTP/1.1|Host: ok.com:8080").head())
			.contains("\r\nHost: ok.com:8080\r\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET / HTTP/1.1|Host: ok.com", "GET https://ok.com/ HTTP/1.1|Host: ok.com",
			"GET ftp://ok.com/ HTTP/1.1|Host: ok.com", "GET http:/ok.com/ HTTP/1.1|Host: ok.com",
			"GET http://ok.com/#x HTTP/1.1|Host: ok.com", "OPTIONS * HTTP/1.1|Host: ok.com",
			"GET http://ok.com/ HTTP/1.1", "GET http://ok.com/ HTTP/1.1|Host: evil.com",
			"GET http://ok.com/ HTTP/1.0|Host: evil.com", "GET http://ok.com/ HTTP/1.1|Host: ok.com:8080",
			"GET http://ok.com/ HTTP/1.1|Host: ok.com.", "GET http://ok.com/ HTTP/1.1|Host:",
			"GET http://ok.com/ HTTP/1.1|Host: ok.com|Host: ok.com", "GET http://ok.com/ HTTP/1.1|Host: ok.com|host: x",
			"GET http://ok.com/ HTTP/1.1|Host : ok.com", "GET http://ok.com/ HTTP/1.1|Host: ok.com| folded",
			"GET http://ok.com/ HTTP/1.1|Host: ok.com|X\u00e9: y", "GET http://ok.com/ HTTP/1.1|Host: ok.com|: y",
			"GET http://ok.com/ HTTP/1.1|Host: ok.com|X", "GET http://ok.com/ HTTP/1.1|Host: ok.com|X: a\rb",
			"GET http://ok.com/ HTTP/1.1|Host: ok.com|X: a\u0007b", "GET http://ok.com/ HTTP/2.0|Host: ok.com",
			"GET  http://ok.com/ HTTP/1.1|Host: ok.com", "GET http://ok.com/ x HTTP/1.1|Host: ok.com",
			"GET\thttp://ok.com/ HTTP/1.1|Host: ok.com", "GET http://ok.com/ HTTP/1.1 |Host: ok.com",
			" GET http://ok.com/ HTTP/1.1|Host: ok.com", "GET http://ok.com/\u00e9 HTTP/1.1|Host: ok.com",
			"GET http://ok.com/|Host: ok.com", "|GET http://ok.com/ HTTP/1.1|Host: ok.com",
			"POST http://ok.com/ HTTP/1.1|Host: ok.com|Content-Length: 1|Content-Length: 1",
			"POST http://ok.com/ HTTP/1.1|Host: ok.com|Content-Length: 1, 1",
			"POST http://ok.com/ HTTP/1.1|Host: ok.com|Content-Length: -1",
			"POST http://ok.com/ HTTP/1.1|Host: ok.com|Content-Length: +1",
			"POST http://ok.com/ HTTP/1.1|Host: ok.com|Content-Length: 0x1",
			"POST http://ok.com/ HTTP/1.1|Host: ok.com|Content-Length: 99999999999999999999",
			"POST http://ok.com/ HTTP/1.1|Host: ok.com|Content-Length: 1|Transfer-Encoding: chunked" })
	void ambiguousRequestIsRefused(String lines) {
		assertRefused(Refusal.BAD_REQUEST, lines);
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://ok.com@evil.com/", "http://user:pw@ok.com/", "http://ok.com\\@evil.com/",
			"http://ok.com%2f@evil.com/", "http:///", "http://[::1]/", "http://2130706433/", "http://0x7f.1/",
			"http://ok.com:/", "http://ok.com:99999/", "http://ok.com./", "http://ok.com%00.evil.com/" })
	void urlWithUnusualHostIsRefused(String url) {
		assertRefused(Refusal.BAD_HOST, "GET " + url + " HTTP/1.1|Host: ok.com");
	}

	@Test
	void bodyWithoutLengthIsRefused() {
		assertRefused(Refusal.LENGTH_REQUIRED, "POST http://ok.com/ HTTP/1.1|Host: ok.com|Transfer-Encoding: chunked");
	}

}
