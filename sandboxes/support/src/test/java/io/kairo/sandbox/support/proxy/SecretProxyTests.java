package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.IntStream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

import io.kairo.api.sandbox.Secret;
import io.kairo.api.sandbox.SecretSource;
import io.kairo.api.tenant.TenantContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the {@link RequestRules rules} of an {@link AllowListProxy}, with a host that has
 * a certificate.
 */
@Timeout(120)
class SecretProxyTests {

	private static final String VALUE = "s3cret-of-acme-0123456789";

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private static final TenantContext GLOBEX = new TenantContext("globex", "gus");

	private static final SecretSource SECRETS = (name, tenant) -> tenant.tenantId().equals("acme") ? Secret.of(VALUE)
			: null;

	@TempDir
	Path directory;

	private final TlsHost host = new TlsHost();

	private final AtomicInteger sockets = new AtomicInteger();

	@AfterEach
	void close() {
		this.host.close();
	}

	private String authority() {
		return "ok.com:" + this.host.port();
	}

	private RequestRule inject(UnaryOperator<RequestRule> conditions) {
		return conditions
			.apply(RequestRule.inject(authority(), InjectedHeader.of("token", "Authorization", "Bearer {secret}")));
	}

	private RequestRule api() {
		return inject((rule) -> rule.withPath("/api/").withMethods(Set.of("GET", "POST")));
	}

	private AllowListProxy proxy(SecretSource source, SSLContext ssl, RequestRule... rules) {
		RequestRules requestRules = RequestRules.of(List.of(rules), source, Duration.ofMillis(500)).withSsl(ssl);
		AllowList allowed = AllowList.of(List.of(authority(), "other.com:" + this.host.port(), "evil.com:443"))
			.withRules(requestRules);
		return new AllowListProxy(allowed, (name) -> List.of(InetAddress.getLoopbackAddress()), (address) -> true,
				ProxyFixture.limits(20, Duration.ofSeconds(10)));
	}

	private AllowListProxy proxy(RequestRule... rules) {
		return proxy(SECRETS, this.host.ssl(), rules);
	}

	private String ask(AllowListProxy proxy, TenantContext tenant, String request) throws IOException {
		Path socket = this.directory.resolve("s" + this.sockets.incrementAndGet());
		try (ProxyListener listener = proxy.listen(socket, tenant);
				ProxyFixture.Connection connection = ProxyFixture.connect(socket)) {
			connection.send(request);
			String answer = connection.readAll();
			assertThat(answer + listener.report()).doesNotContain(VALUE);
			return answer;
		}
	}

	private String request(String method, String path, String... fields) {
		return method + " http://" + authority() + path + " HTTP/1.1\r\nHost: " + authority() + "\r\n"
				+ String.join("", List.of(fields).stream().map((field) -> field + "\r\n").toList()) + "\r\n";
	}

	private String get(AllowListProxy proxy, TenantContext tenant, String path, String... fields) throws IOException {
		return ask(proxy, tenant, request("GET", path, fields));
	}

	@Test
	void matchingRequestGetsSecretOverTls() throws IOException {
		assertThat(get(proxy(api()), ACME, "/api/x?y")).startsWith("HTTP/1.1 200 ").endsWith("GET /api/x?y 0");
		assertThat(this.host.requests()).singleElement()
			.asString()
			.contains("Authorization: Bearer " + VALUE, "Host: " + authority(), "Connection: close");
	}

	@Test
	void bodyIsForwardedWithSecret() throws IOException {
		String body = "x".repeat(1_000_000);
		String head = request("POST", "/api/", "Content-Length: " + body.length());
		assertThat(ask(proxy(api()), ACME, head + body)).endsWith("POST /api/ 1000000");
		assertThat(this.host.requests().get(0)).contains(VALUE);
	}

	@Test
	void longResponseIsForwarded() throws IOException {
		String text = "0123456789".repeat(500_000);
		this.host.answers((exchange) -> TlsHost.answer(exchange, text));
		assertThat(get(proxy(api()), ACME, "/api/")).endsWith(text);
		assertThat(get(proxy(api()), ACME, "/other")).endsWith(text);
	}

	@Test
	void basicCredentialHasUserName() throws IOException {
		RequestRule rule = RequestRule.inject(authority(), InjectedHeader.basic("token", "robot"));
		get(proxy(rule), ACME, "/");
		assertThat(this.host.requests().get(0)).contains("Authorization: Basic "
				+ Base64.getEncoder().encodeToString(("robot:" + VALUE).getBytes(StandardCharsets.UTF_8)));
	}

	@Test
	void fieldOfClientIsReplaced() throws IOException {
		RequestRule rule = RequestRule.inject(authority(), InjectedHeader.of("token", "X-Api-Key", "{secret}"));
		get(proxy(rule), ACME, "/", "x-api-KEY: forged", "X_Api_Key: forged", "X.Api.Key: forged",
				"Connection: X-Api-Key, authorization", "Authorization: forged", "Accept-Encoding: gzip",
				"Cookie: a=b");
		assertThat(this.host.requests().get(0)).containsIgnoringCase("X-Api-Key: " + VALUE)
			.contains("Accept-encoding: identity", "Cookie: a=b")
			.doesNotContain("forged", "gzip");
	}

	@Test
	void fieldsThatReplaceMethodOrPathAreRemoved() throws IOException {
		for (String path : List.of("/api/", "/other")) {
			get(proxy(api()), ACME, path, "X-HTTP-Method-Override: DELETE", "x_http_method: DELETE",
					"X.HTTP.Method.Override: DELETE", "X-Original-URL: /admin", "X-Rewrite-Url: /admin",
					"X-Forwarded-Host: evil.com");
		}
		assertThat(this.host.requests()).hasSize(2)
			.allSatisfy((request) -> assertThat(request).doesNotContain("DELETE", "/admin", "evil"));
	}

	@Test
	void requestOutsideOfRulesGetsNoSecret() throws IOException {
		AllowListProxy proxy = proxy(api());
		assertThat(get(proxy, ACME, "/apis/x")).startsWith("HTTP/1.1 200 ");
		assertThat(get(proxy, ACME, "/API/x")).startsWith("HTTP/1.1 200 ");
		assertThat(get(proxy, ACME, "/api")).startsWith("HTTP/1.1 200 ");
		assertThat(get(proxy, ACME, "/?/api/x")).startsWith("HTTP/1.1 200 ");
		assertThat(ask(proxy, ACME, request("DELETE", "/api/x"))).startsWith("HTTP/1.1 200 ");
		assertThat(ask(proxy, ACME, request("TRACE", "/api/x"))).startsWith("HTTP/1.1 ");
		assertThat(this.host.requests()).hasSize(6)
			.allSatisfy((request) -> assertThat(request).doesNotContain(VALUE, "Authorization"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/x/../api/y", "/api/../admin", "/api/%2e%2e/admin", "/api/..%2fadmin", "/api/..;/admin",
			"//api/x", "/api//x", "/api/%252e%252e/admin", "/api\\..\\admin", "/api/%5c..%5cadmin", "/api/./x",
			"/api/%c0%ae%c0%ae/admin", "/api/x;y", "/api/%ef%bc%8e%ef%bc%8e/admin", "/api/x%00", "/api/.." })
	void ambiguousPathIsRefusedForHostWithRules(String path) throws IOException {
		assertThat(get(proxy(api()), ACME, path)).startsWith("HTTP/1.1 400 ambiguous_path")
			.contains("this host has rules");
		assertThat(this.host.requests()).isEmpty();
	}

	@Test
	void comparedPathIsSentToHost() throws IOException {
		get(proxy(api()), ACME, "/%61pi/%7Ex");
		assertThat(this.host.requests().get(0)).startsWith("GET /api/~x\n").contains(VALUE);
	}

	@Test
	void spellingOfHostHasNoEffect() throws IOException {
		String url = "hTTp://OK.Com:" + this.host.port() + "/api/";
		ask(proxy(api()), ACME, "GET " + url + " HTTP/1.1\r\nhOST: oK.com:" + this.host.port() + "\r\n\r\n");
		assertThat(this.host.requests().get(0)).contains(VALUE, "Host: " + authority());
		AllowListProxy denying = proxy(RequestRule.deny(authority()));
		assertThat(ask(denying, ACME, "GET " + url + " HTTP/1.1\r\nHost: OK.COM:" + this.host.port() + "\r\n\r\n"))
			.startsWith("HTTP/1.1 403 denied_by_rule");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Host: other.com:PORT", "Host: ok.com:PORT|Host: other.com:PORT",
			"Host: ok.com:PORT|Host: ok.com:PORT", "Host : ok.com:PORT", "Host: ok.com:PORT| folded: x",
			"Host: ok.com:PORT|Content-Length: 1|Transfer-Encoding: chunked",
			"Host: ok.com:PORT|Content-Length: 1|Content-Length: 2", "Host: ok.com:PORT|Transfer-Encoding: chunked",
			"Host: ok.com:PORT|Transfer-Encoding : chunked", "Host: ok.com:PORT|X: a\rb",
			"Host: ok.com:PORT@other.com" })
	void ambiguousRequestIsNotForwarded(String fields) throws IOException {
		String head = "GET http://" + authority() + "/api/ HTTP/1.1\r\n"
				+ fields.replace("PORT", "" + this.host.port()).replace("|", "\r\n") + "\r\n\r\n";
		assertThat(ask(proxy(api()), ACME, head)).startsWith("HTTP/1.1 4");
		assertThat(this.host.requests()).isEmpty();
	}

	@Test
	void pipelinedRequestIsDropped() throws IOException {
		String second = request("DELETE", "/admin") + request("GET", "/api/second");
		ask(proxy(api()), ACME, request("GET", "/api/first") + second);
		ask(proxy(api()), ACME, request("POST", "/api/first", "Content-Length: 2") + "ab" + second);
		assertThat(this.host.requests()).hasSize(2).allSatisfy((request) -> assertThat(request).contains("first"));
	}

	@Test
	void tooLongHeadIsRefused() throws IOException {
		assertThat(get(proxy(api()), ACME, "/api/", "X: " + "x".repeat(3000))).startsWith("HTTP/1.1 431 ");
		assertThat(this.host.requests()).isEmpty();
	}

	@Test
	void otherHostGetsNoSecret() throws IOException {
		String other = "other.com:" + this.host.port();
		String head = "GET http://" + other + "/api/ HTTP/1.1\r\nHost: " + other + "\r\n\r\n";
		// without rules, plain HTTP is sent as it is
		assertThat(ask(proxy(api()), ACME, head)).doesNotContain("200 OK");
		assertThat(this.host.requests()).isEmpty();
	}

	@Test
	void otherTenantGetsNoSecret() throws IOException {
		AllowListProxy forAcme = proxy(api().withTenant("acme"));
		assertThat(get(forAcme, GLOBEX, "/api/")).doesNotContain("200 OK");
		assertThat(this.host.requests()).isEmpty();
		AllowListProxy forAll = proxy(api());
		assertThat(get(forAll, GLOBEX, "/api/")).startsWith("HTTP/1.1 502 secret_unavailable")
			.contains("the credential for this request is not available");
		assertThat(this.host.requests()).isEmpty();
	}

	@Test
	void firstMatchingRuleApplies() throws IOException {
		AllowListProxy proxy = proxy(RequestRule.forward(authority()).withPath("/api/public"), api(),
				RequestRule.deny(authority()));
		get(proxy, ACME, "/api/public/x");
		get(proxy, ACME, "/api/x");
		assertThat(get(proxy, ACME, "/x")).startsWith("HTTP/1.1 403 denied_by_rule")
			.contains("Proxy-Status: kairo; error=http_request_denied", "a rule of the network refuses");
		assertThat(this.host.requests()).hasSize(2);
		assertThat(this.host.requests().get(0)).doesNotContain(VALUE);
		assertThat(this.host.requests().get(1)).contains(VALUE);
	}

	@Test
	void refusingRuleIgnoresCaseOfPath() throws IOException {
		AllowListProxy proxy = proxy(RequestRule.deny(authority()).withPath("/admin"),
				RequestRule.forward(authority()));
		assertThat(get(proxy, ACME, "/ADMIN/x")).startsWith("HTTP/1.1 403 denied_by_rule");
		assertThat(get(proxy, ACME, "/%41dmin")).startsWith("HTTP/1.1 403 denied_by_rule");
		assertThat(ask(proxy, ACME, request("delete", "/"))).startsWith("HTTP/1.1 400 bad_request");
		assertThat(get(proxy, ACME, "/x")).startsWith("HTTP/1.1 200 ");
	}

	@Test
	void tunnelIsRefusedIfItWouldBypassRule() throws IOException {
		String tunnel = "CONNECT " + authority() + " HTTP/1.1\r\nHost: " + authority() + "\r\n\r\n";
		assertThat(ask(proxy(RequestRule.deny(authority()).withPath("/admin")), ACME, tunnel))
			.startsWith("HTTP/1.1 403 tunnel_denied")
			.contains("use http:// instead of https://");
		AllowListProxy injecting = proxy(api());
		Path socket = this.directory.resolve("tunnel");
		try (ProxyListener listener = injecting.listen(socket, ACME);
				ProxyFixture.Connection connection = ProxyFixture.connect(socket)) {
			connection.send(tunnel);
			assertThat(connection.readHead()).startsWith("HTTP/1.1 200 Connection established");
			assertThat(listener.report().allowed()).isOne();
		}
	}

	@Test
	void gitRuleCoversFetchButNotPush() throws IOException {
		AllowListProxy proxy = proxy(inject((rule) -> rule.withPath("/team/").withGit(GitAccess.FETCH)),
				RequestRule.deny(authority()));
		get(proxy, ACME, "/team/x.git/info/refs?service=git-upload-pack");
		ask(proxy, ACME, request("POST", "/team/x.git/git-upload-pack", "Content-Length: 0"));
		assertThat(this.host.requests()).hasSize(2).allSatisfy((request) -> assertThat(request).contains(VALUE));
		for (String path : List.of("/team/x.git/info/refs?service=git-receive-pack",
				"/team/x.git/info/refs?service=git-upload-pack&service=git-receive-pack",
				"/team/x.git/info/refs?service=git-receive-pack&service=git-upload-pack", "/team/x.git/info/refs",
				"/team/x.git/info/refs?", "/team/x.git/git-receive-pack", "/team/x.git/HEAD",
				"/other/x.git/info/refs?service=git-upload-pack",
				"/team/x.git/info/refs?service=git-upload-pack%26service=git-receive-pack")) {
			assertThat(get(proxy, ACME, path)).as(path).startsWith("HTTP/1.1 403 ");
			assertThat(ask(proxy, ACME, request("POST", path, "Content-Length: 0"))).as(path)
				.startsWith("HTTP/1.1 403 ");
		}
		AllowListProxy pushing = proxy(inject((rule) -> rule.withGit(GitAccess.PUSH)));
		ask(pushing, ACME, request("POST", "/team/x.git/git-receive-pack", "Content-Length: 0"));
		assertThat(this.host.requests()).hasSize(3).allSatisfy((request) -> assertThat(request).contains(VALUE));
	}

	@Test
	void redirectIsNotFollowed() throws IOException {
		this.host.answers((exchange) -> {
			exchange.getResponseHeaders().add("Location", "https://evil.com/");
			exchange.sendResponseHeaders(302, -1);
		});
		assertThat(get(proxy(api()), ACME, "/api/")).startsWith("HTTP/1.1 302 ").contains("https://evil.com/");
		assertThat(this.host.requests()).hasSize(1);
	}

	@Test
	void secretIsMaskedWhereHostRepeatsIt() throws IOException {
		this.host.answers((exchange) -> {
			String sent = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
			exchange.getResponseHeaders().add("X-Echo", sent);
			exchange.getResponseHeaders().add("Set-Cookie", "session=derived");
			String repeated = sent.substring(sent.indexOf(' ') + 1);
			TlsHost.answer(exchange, "x".repeat(16370) + sent + "s3cret-of" + repeated + "end");
		});
		String answer = get(proxy(api()), ACME, "/api/");
		assertThat(answer).containsIgnoringCase("X-Echo: Bearer " + "*".repeat(VALUE.length()))
			.endsWith("s3cret-of" + "*".repeat(VALUE.length()) + "end")
			.doesNotContain("derived");
		String basic = get(proxy(RequestRule.inject(authority(), InjectedHeader.basic("token", "robot"))), ACME, "/");
		assertThat(basic).doesNotContain(Base64.getEncoder().encodeToString(("robot:" + VALUE).getBytes()));
		assertThat(get(proxy(api()), ACME, "/other")).as("without a secret").contains("session=derived");
	}

	@Test
	void certificateOfOtherHostIsRefused() throws IOException {
		String other = "evil.com:" + this.host.port();
		RequestRule rule = RequestRule.inject(other, InjectedHeader.of("token", "Authorization", "{secret}"));
		RequestRules rules = RequestRules.of(List.of(rule), SECRETS, Duration.ofSeconds(5)).withSsl(this.host.ssl());
		AllowListProxy proxy = new AllowListProxy(AllowList.of(List.of(other)).withRules(rules),
				(name) -> List.of(InetAddress.getLoopbackAddress()), (address) -> true, ProxyLimits.DEFAULT);
		assertThat(ask(proxy, ACME, "GET http://" + other + "/ HTTP/1.1\r\nHost: " + other + "\r\n\r\n"))
			.startsWith("HTTP/1.1 502 tls_failed");
		assertThat(this.host.requests()).isEmpty();
	}

	@Test
	void unknownAuthorityIsRefused() throws Exception {
		assertThat(get(proxy(SECRETS, SSLContext.getDefault(), api()), ACME, "/api/"))
			.startsWith("HTTP/1.1 502 tls_failed")
			.contains("certificate is not valid");
		assertThat(this.host.requests()).isEmpty();
	}

	@Test
	void hostWithoutTlsReceivesNothing() throws Exception {
		try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			String authority = "ok.com:" + plain.getLocalPort();
			RequestRule rule = RequestRule.inject(authority, InjectedHeader.of("token", "Authorization", "{secret}"));
			AllowList allowed = AllowList.of(List.of(authority))
				.withRules(RequestRules.of(List.of(rule), SECRETS, Duration.ofSeconds(5)).withSsl(this.host.ssl()));
			AllowListProxy proxy = new AllowListProxy(allowed, (name) -> List.of(InetAddress.getLoopbackAddress()),
					(address) -> true, ProxyLimits.DEFAULT);
			StringBuilder received = new StringBuilder();
			Thread server = new Thread(() -> receive(plain, received));
			server.start();
			assertThat(ask(proxy, ACME, "GET http://" + authority + "/ HTTP/1.1\r\nHost: " + authority + "\r\n\r\n"))
				.startsWith("HTTP/1.1 502 tls_failed");
			server.join();
			assertThat(received).isNotEmpty().doesNotContain(VALUE, "GET");
		}
	}

	private static void receive(ServerSocket server, StringBuilder received) {
		try (Socket socket = server.accept(); OutputStream output = socket.getOutputStream()) {
			byte[] bytes = new byte[4096];
			int count = socket.getInputStream().read(bytes);
			received.append(new String(bytes, 0, count, StandardCharsets.ISO_8859_1));
			output.write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void failingSourceIsReportedWithoutItsMessage() throws IOException {
		List<String> log = logOf(() -> {
			AllowListProxy proxy = proxy((name, tenant) -> {
				throw new IllegalStateException("vault refused " + VALUE);
			}, this.host.ssl(), api());
			assertThat(get(proxy, ACME, "/api/")).startsWith("HTTP/1.1 502 secret_unavailable");
			assertThat(get(proxy, ACME, "/other")).startsWith("HTTP/1.1 200 ");
		});
		assertThat(log).singleElement()
			.asString()
			.contains("acme", "secret_unavailable", "secret 'token': the source threw java.lang.IllegalStateException")
			.doesNotContain(VALUE);
		assertThat(this.host.requests()).singleElement().asString().startsWith("GET /other");
	}

	@Test
	void slowSourceIsCalledOnceForConcurrentRequests() throws Exception {
		AtomicInteger calls = new AtomicInteger();
		CountDownLatch end = new CountDownLatch(1);
		AllowListProxy proxy = proxy((name, tenant) -> {
			calls.incrementAndGet();
			await(end);
			return Secret.of(VALUE);
		}, this.host.ssl(), api());
		List<Thread> clients = IntStream.range(0, 10).mapToObj((i) -> new Thread(() -> {
			try {
				assertThat(get(proxy, ACME, "/api/")).startsWith("HTTP/1.1 502 secret_unavailable");
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		})).toList();
		clients.forEach(Thread::start);
		for (Thread client : clients) {
			client.join();
		}
		assertThat(calls).hasValue(1);
		assertThat(this.host.requests()).isEmpty();
		end.countDown();
		assertThat(get(proxy, ACME, "/api/")).startsWith("HTTP/1.1 200 ");
	}

	private static void await(CountDownLatch end) {
		try {
			end.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void unreachableHostIsReported() throws IOException {
		AllowListProxy proxy = proxy(api());
		this.host.close();
		assertThat(get(proxy, ACME, "/api/")).startsWith("HTTP/1.1 502 unreachable");
	}

	@Test
	void malformedResponseIsReported() throws Exception {
		for (String response : List.of("SSH-2.0-x\r\n\r\n", "\r\n\r\n", "", "HTTP/1.1 200 OK\r\nX: ",
				"HTTP/1.1 200 OK\r\nX: " + "x".repeat(70_000) + "\r\n\r\n")) {
			assertThat(answerTo(response)).as(response).startsWith("HTTP/1.1 502 bad_response");
		}
		assertThat(answerTo(
				"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nSet-Cookie: a\r\n\tb\r\nX: 1\nset-cookie :c\n\r\nbody"))
			.isEqualTo("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX: 1\n\r\nbody");
	}

	private String answerTo(String response) throws Exception {
		try (SSLServerSocket server = (SSLServerSocket) this.host.ssl()
			.getServerSocketFactory()
			.createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			String authority = "ok.com:" + server.getLocalPort();
			RequestRule rule = RequestRule.inject(authority, InjectedHeader.of("token", "Authorization", "{secret}"));
			AllowList allowed = AllowList.of(List.of(authority))
				.withRules(RequestRules.of(List.of(rule), SECRETS, Duration.ofSeconds(5)).withSsl(this.host.ssl()));
			AllowListProxy proxy = new AllowListProxy(allowed, (name) -> List.of(InetAddress.getLoopbackAddress()),
					(address) -> true, ProxyLimits.DEFAULT);
			Thread thread = new Thread(() -> {
				try (Socket socket = server.accept(); InputStream input = socket.getInputStream()) {
					input.read(new byte[4096]);
					socket.getOutputStream().write(response.getBytes(StandardCharsets.ISO_8859_1));
				}
				catch (IOException ex) {
					// the proxy has ended the connection
				}
			});
			thread.start();
			String answer = ask(proxy, ACME,
					"GET http://" + authority + "/ HTTP/1.1\r\nHost: " + authority + "\r\n\r\n");
			thread.join();
			return answer;
		}
	}

	private interface Action {

		void run() throws IOException;

	}

	private static List<String> logOf(Action action) throws IOException {
		List<String> messages = new CopyOnWriteArrayList<>();
		Handler handler = new Handler() {

			@Override
			public void publish(LogRecord record) {
				messages.add(new SimpleFormatter().formatMessage(record));
			}

			@Override
			public void flush() {
			}

			@Override
			public void close() {
			}

		};
		Logger logger = Logger.getLogger(Traffic.class.getName());
		logger.addHandler(handler);
		try {
			action.run();
		}
		finally {
			logger.removeHandler(handler);
		}
		return messages;
	}

}
