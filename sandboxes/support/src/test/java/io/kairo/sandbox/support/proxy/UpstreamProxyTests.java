package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpServer;
import io.kairo.api.sandbox.Secret;
import io.kairo.api.tenant.TenantContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests an {@link AllowListProxy} that reaches hosts through an {@link UpstreamProxy}. A
 * name is resolved here only if it is that of the upstream proxy, or is connected to
 * directly.
 */
@Timeout(120)
class UpstreamProxyTests {

	private static final String PASSWORD = "s3cret-of-the-proxy";

	private static final String CREDENTIAL = Base64.getEncoder()
		.encodeToString(("robot:" + PASSWORD).getBytes(StandardCharsets.US_ASCII));

	@TempDir
	Path directory;

	private final UpstreamServer upstream = new UpstreamServer();

	private final TlsHost host = new TlsHost();

	private final AtomicInteger sockets = new AtomicInteger();

	private HttpServer plain;

	@BeforeEach
	void start() throws IOException {
		this.plain = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
		this.plain.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(200, 6);
			exchange.getResponseBody().write("direct".getBytes(StandardCharsets.US_ASCII));
			exchange.close();
		});
		this.plain.start();
	}

	@AfterEach
	void close() throws IOException {
		this.upstream.close();
		this.host.close();
		this.plain.stop(0);
	}

	private UpstreamProxy upstream() {
		return UpstreamProxy.of(this.upstream.address()).withCredentials("robot", Secret.of(PASSWORD));
	}

	private String local(String host) {
		return host + ":" + this.plain.getAddress().getPort();
	}

	private AllowListProxy proxy(AllowList allowed) {
		return new AllowListProxy(allowed, (name) -> {
			assertThat(name).as("resolved name").isIn("proxy.test", "localhost", "direct.corp", "127.0.0.1");
			return List.of(InetAddress.getLoopbackAddress());
		}, new PublicAddresses(), ProxyFixture.limits(20, Duration.ofSeconds(10)));
	}

	private AllowListProxy proxy(String... hosts) {
		return proxy(AllowList.of(List.of(hosts)).withUpstream(upstream()));
	}

	private String ask(AllowListProxy proxy, String request) throws IOException {
		Path socket = this.directory.resolve("s" + this.sockets.incrementAndGet());
		try (ProxyListener listener = proxy.listen(socket, TenantContext.SINGLE);
				ProxyFixture.Connection connection = ProxyFixture.connect(socket)) {
			connection.send(request);
			String answer = connection.readAll();
			assertThat(answer + listener.report()).doesNotContain(PASSWORD, CREDENTIAL);
			return answer;
		}
	}

	private static String get(String authority, String path) {
		return "GET http://" + authority + path + " HTTP/1.1\r\nHost: " + authority + "\r\nMax-Forwards: 0\r\n"
				+ "Proxy-Authorization: Basic own\r\n\r\n";
	}

	private static String tunnel(String authority) {
		return "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n";
	}

	@Test
	void plainRequestIsForwardedInAbsoluteForm() throws IOException {
		String answer = ask(proxy("ok.com"), get("ok.com", "/a?b"));
		assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n").contains("Set-Cookie: a=b\r\n");
		assertThat(this.upstream.heads()).containsExactly("GET http://ok.com/a?b HTTP/1.1\r\nHost: ok.com\r\n"
				+ "Proxy-Authorization: Basic " + CREDENTIAL + "\r\nConnection: close\r\n\r\n");
		assertThat(answer).contains("Proxy-Authorization: Basic " + "*".repeat(CREDENTIAL.length()));
	}

	@Test
	void proxyWithoutCredentialsGetsNone() throws IOException {
		ask(proxy(AllowList.of(List.of("ok.com:81")).withUpstream(UpstreamProxy.of(this.upstream.address()))),
				get("ok.com:81", "/"));
		assertThat(this.upstream.heads())
			.containsExactly("GET http://ok.com:81/ HTTP/1.1\r\nHost: ok.com:81\r\nConnection: close\r\n\r\n");
	}

	@Test
	void tunnelIsOpenedThroughTheUpstreamProxy() throws IOException {
		String target = local("ok.com");
		String answer = ask(proxy(target), tunnel(target) + "GET / HTTP/1.0\r\n\r\n");
		assertThat(answer).startsWith("HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK\r\n")
			.endsWith("direct")
			.doesNotContain("Via");
		assertThat(this.upstream.heads()).containsExactly("CONNECT " + target + " HTTP/1.1\r\nHost: " + target
				+ "\r\nProxy-Authorization: Basic " + CREDENTIAL + "\r\n\r\n");
	}

	@Test
	void secretIsInjectedThroughTheUpstreamProxy() throws IOException {
		String authority = "ok.com:" + this.host.port();
		RequestRules rules = RequestRules
			.of(List.of(RequestRule.inject(authority, InjectedHeader.of("token", "X-Key", "{secret}"))),
					(name, tenant) -> Secret.of("s3cret-of-acme-0123456789"), Duration.ofSeconds(5))
			.withSsl(this.host.ssl());
		String answer = ask(proxy(AllowList.of(List.of(authority)).withRules(rules).withUpstream(upstream())),
				get(authority, "/x"));
		assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("GET /x 0");
		assertThat(this.host.requests()).singleElement()
			.asString()
			.contains("X-key: s3cret-of-acme-0123456789")
			.doesNotContain(CREDENTIAL, "Proxy-");
		assertThat(this.upstream.heads()).singleElement()
			.asString()
			.startsWith("CONNECT " + authority)
			.doesNotContain("s3cret-of-acme");
	}

	@Test
	void unlistedHostIsNotAskedFor() throws IOException {
		AllowListProxy proxy = proxy("ok.com");
		assertThat(ask(proxy, get("evil.com", "/"))).startsWith("HTTP/1.1 403 not_listed");
		assertThat(ask(proxy, tunnel("evil.com:443"))).startsWith("HTTP/1.1 403 not_listed");
		assertThat(this.upstream.heads()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "10.1.2.3", "169.254.169.254", "127.0.0.1", "0.0.0.0" })
	void literalAddressIsCheckedHere(String address) throws IOException {
		AllowListProxy proxy = new AllowListProxy(AllowList.of(List.of(address)).withUpstream(upstream()),
				(name) -> List.of(InetAddress.getByName(name)), new PublicAddresses(), ProxyLimits.DEFAULT);
		assertThat(ask(proxy, tunnel(address + ":443"))).startsWith("HTTP/1.1 403 forbidden_address");
		assertThat(this.upstream.heads()).isEmpty();
	}

	@Test
	void allowedInternalHostIsReachedThroughTheUpstreamProxy() throws IOException {
		ask(proxy(AllowList.of(List.of(), List.of("git.corp:80")).withUpstream(upstream())), get("git.corp", "/"));
		assertThat(this.upstream.heads()).singleElement().asString().startsWith("GET http://git.corp/ ");
	}

	@Test
	void hostOfTheLoopbackInterfaceIsConnectedToDirectly() throws IOException {
		String target = local("localhost");
		assertThat(ask(proxy(AllowList.of(List.of(), List.of(target)).withUpstream(upstream())), get(target, "/")))
			.endsWith("direct");
		assertThat(this.upstream.heads()).isEmpty();
	}

	@Test
	void excludedHostIsConnectedToDirectlyWithAllChecks() throws IOException {
		String target = local("direct.corp");
		UpstreamProxy excluding = upstream().withNoProxy(List.of("corp"));
		assertThat(ask(proxy(AllowList.of(List.of(target)).withUpstream(excluding)), get(target, "/")))
			.startsWith("HTTP/1.1 403 forbidden_address");
		String loopback = local("127.0.0.1");
		assertThat(
				ask(proxy(AllowList.of(List.of(target), List.of(loopback)).withUpstream(excluding)), get(target, "/")))
			.endsWith("direct");
		assertThat(this.upstream.heads()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "HTTP/1.1 407 Proxy Authentication Required, upstream_refused",
			"HTTP/1.1 403 Forbidden, upstream_refused", "SSH-2.0-x, upstream_unavailable" })
	void refusalOfTheUpstreamProxyIsReported(String status, String code) throws IOException {
		this.upstream.refuses(status);
		assertThat(ask(proxy("ok.com"), tunnel("ok.com:443"))).startsWith("HTTP/1.1 502 " + code)
			.doesNotContain("Proxy-Authenticate");
	}

	@Test
	void wrongCredentialsAreNotReportedAsThoseOfTheCommand() throws IOException {
		this.upstream.refuses("HTTP/1.1 407 Proxy Authentication Required");
		assertThat(ask(proxy("ok.com"), get("ok.com", "/"))).startsWith("HTTP/1.1 502 upstream_refused")
			.doesNotContain("Proxy-Authenticate");
	}

	@Test
	void absentUpstreamProxyIsReported() throws IOException {
		this.upstream.close();
		for (String request : List.of(get("ok.com", "/"), tunnel("ok.com:443"))) {
			assertThat(ask(proxy("ok.com"), request)).startsWith("HTTP/1.1 502 upstream_unavailable")
				.contains("the proxy of this network does not answer");
		}
	}

	@Test
	void requestThatAsksForItselfIsRefused() throws IOException {
		assertThat(ask(proxy("ok.com"), "TRACE http://ok.com/ HTTP/1.1\r\nHost: ok.com\r\n\r\n"))
			.startsWith("HTTP/1.1 400 bad_request");
		assertThat(this.upstream.heads()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "corp.example, corp.example:443, true", "corp.example, git.corp.example:80, true",
			"corp.example, notcorp.example:443, false", ".corp.example, corp.example:443, false",
			".corp.example, git.corp.example:443, true", "*.corp.example, git.corp.example:443, true",
			"corp.example:8443, corp.example:443, false", "corp.example:8443, corp.example:8443, true",
			"10.0.0.0/8, 10.1.2.3:443, true", "10.0.0.0/8, 11.1.2.3:443, false", "10.1.2.3, 10.1.2.3:80, true",
			"corp.example, localhost:80, true", "corp.example, 127.0.0.1:80, true",
			"corp.example, x.localhost:80, true" })
	void excludedHostsAreThoseOfTheVariable(String entry, String target, boolean direct) {
		assertThat(upstream().withNoProxy(List.of(entry)).bypasses(Objects.requireNonNull(Target.of(target, null))))
			.isEqualTo(direct);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "*", "corp.example:0", "http://corp.example", "10.0.0.0/40", ".10.0.0.1", "a b" })
	void invalidExcludedHostIsRefused(String entry) {
		assertThatIllegalArgumentException().isThrownBy(() -> upstream().withNoProxy(List.of(entry)))
			.withMessageContainingAll("'" + entry + "'", "corp.example");
	}

	@Test
	void credentialsAreNotInDescriptionsAndMessages() {
		assertThat(upstream()).hasToString(this.upstream.address());
		assertThatIllegalArgumentException().isThrownBy(() -> upstream().withCredentials("a:b", Secret.of(PASSWORD)))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain(PASSWORD));
		assertThatIllegalArgumentException().isThrownBy(() -> UpstreamProxy.of("proxy.corp.example"))
			.withMessageContaining("with a port");
	}

}
