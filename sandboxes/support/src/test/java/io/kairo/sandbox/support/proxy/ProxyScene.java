package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import com.sun.net.httpserver.HttpServer;
import io.kairo.api.attack.AttackScene;
import io.kairo.api.attack.Finding;
import io.kairo.api.tenant.TenantContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The scene of an attack through the proxy: two services of the machine with the same
 * port, one that commands may reach, at 127.0.0.1, and one with a secret, at 127.0.0.2.
 */
final class ProxyScene implements AttackScene {

	private final String secret = "SECRET-" + UUID.randomUUID();

	private final Path directory;

	private final HttpServer open;

	private final HttpServer closed;

	private final UpstreamServer upstream = new UpstreamServer();

	private String answers = "";

	ProxyScene() throws IOException {
		this.directory = Files.createTempDirectory("proxy-");
		HttpServer first = null;
		HttpServer second = null;
		while (second == null) {
			first = serve("127.0.0.1", 0, "open");
			try {
				second = serve("127.0.0.2", first.getAddress().getPort(), this.secret);
			}
			catch (IOException ex) {
				// another program has the port
				first.stop(0);
			}
		}
		this.open = first;
		this.closed = second;
	}

	private static HttpServer serve(String address, int port, String text) throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(address), port), 50);
		server.createContext("/", (exchange) -> {
			byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
			exchange.sendResponseHeaders(200, bytes.length);
			exchange.getResponseBody().write(bytes);
			exchange.close();
		});
		server.start();
		return server;
	}

	/**
	 * Returns the port of both services.
	 */
	int port() {
		return this.open.getAddress().getPort();
	}

	UpstreamServer upstream() {
		return this.upstream;
	}

	AllowListProxy proxy(AllowList allowed, NameResolver resolver) {
		return new AllowListProxy(allowed, resolver, new PublicAddresses(),
				ProxyFixture.limits(20, Duration.ofSeconds(10)));
	}

	/**
	 * Sends a request for a path of a host, and returns the answer.
	 */
	String get(AllowListProxy proxy, String authority) throws IOException {
		return send(proxy, "GET http://" + authority + "/ HTTP/1.1\r\nHost: " + authority + "\r\n\r\n");
	}

	String send(AllowListProxy proxy, String request) throws IOException {
		Path socket = this.directory.resolve("proxy");
		try (ProxyListener listener = proxy.listen(socket, TenantContext.SINGLE);
				ProxyFixture.Connection connection = ProxyFixture.connect(socket)) {
			connection.send(request);
			String answer = connection.readAll() + listener.report().refusals();
			this.answers += answer + "\n";
			return answer;
		}
		finally {
			Files.deleteIfExists(socket);
		}
	}

	/**
	 * Returns the finding after an attack on the closed service, which answers without
	 * the proxy.
	 */
	Finding unlessSecretIsKnown() throws IOException {
		try (InputStream input = new URL("http://127.0.0.2:" + port() + "/").openStream()) {
			assertThat(new String(input.readAllBytes(), StandardCharsets.US_ASCII)).as("success without the proxy")
				.isEqualTo(this.secret);
		}
		return Finding.heldIf(!this.answers.contains(this.secret));
	}

	@Override
	public void assertUntouched() {
		assertThat(this.answers).doesNotContain(this.secret);
	}

	@Override
	public void close() throws IOException {
		this.open.stop(0);
		this.closed.stop(0);
		this.upstream.close();
		Files.delete(this.directory);
	}

	@Override
	public void assertNothingLeft() {
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.noneMatch((name) -> name.startsWith("kairo-proxy")));
	}

	@Override
	public String toString() {
		return this.answers;
	}

}
