package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AllowListProxy}.
 */
@Timeout(120)
class AllowListProxyTests {

	@RegisterExtension
	final ProxyFixture proxy = new ProxyFixture();

	private String tunnel(String target) {
		return "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n";
	}

	@Test
	void requestIsForwarded() throws IOException {
		assertThat(this.proxy.get("/a?b")).startsWith("HTTP/1.1 200 ")
			.endsWith("\r\n\r\nGET /a?b ok.com:" + this.proxy.port() + " 0");
		ProxyReport report = this.proxy.listener().report();
		assertThat(report.allowed()).isOne();
		assertThat(report.refused()).isZero();
	}

	@Test
	void requestBodyIsForwarded() throws IOException {
		String head = "POST " + this.proxy.url("/") + " HTTP/1.1\r\nHost: ok.com:" + this.proxy.port()
				+ "\r\nContent-Length: 100000\r\n\r\n";
		assertThat(this.proxy.ask(head + "x".repeat(100_000))).endsWith(" 100000");
	}

	@Test
	void tunnelTransfersBytesInBothDirections() throws IOException {
		try (ProxyFixture.Connection connection = this.proxy.connect()) {
			connection.send(tunnel("www.ok.com:" + this.proxy.port()));
			assertThat(connection.readHead()).isEqualTo("HTTP/1.1 200 Connection established\r\n\r\n");
			connection.send("GET /x HTTP/1.0\r\n\r\n");
			assertThat(connection.readAll()).endsWith("GET /x null 0");
		}
	}

	@Test
	void bytesSentWithHeadPassThroughTunnel() throws IOException {
		assertThat(this.proxy.ask(tunnel("ok.com:" + this.proxy.port()) + "GET /early HTTP/1.0\r\n\r\n"))
			.endsWith("GET /early null 0");
	}

	@Test
	void unlistedTargetIsRefusedWithReason() throws IOException {
		String answer = this.proxy.ask(tunnel("evil.com:" + this.proxy.port()));
		assertThat(answer).startsWith("HTTP/1.1 403 not_listed\r\n")
			.contains("Proxy-Status: kairo; error=http_request_denied\r\n", "(not_listed)");
		assertThat(this.proxy.ask(tunnel("ok.com:1"))).startsWith("HTTP/1.1 403 ");
		ProxyReport report = this.proxy.listener().report();
		assertThat(report.refusals()).containsExactly("evil.com:" + this.proxy.port() + " (not_listed)",
				"ok.com:1 (not_listed)");
		assertThat(report.refused()).isEqualTo(2);
	}

	@Test
	void redirectTargetIsChecked() throws IOException {
		String answer = this.proxy.get("/redirect");
		assertThat(answer).startsWith("HTTP/1.1 302 ");
		String location = answer.lines()
			.filter((line) -> line.startsWith("Location: "))
			.map((line) -> line.substring("Location: ".length()))
			.findFirst()
			.orElseThrow();
		String host = location.substring("http://".length(), location.length() - 1);
		assertThat(this.proxy.ask("GET " + location + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
			.startsWith("HTTP/1.1 403 ");
	}

	@Test
	void secondRequestOnConnectionIsDropped() throws IOException {
		String second = "GET /second HTTP/1.1\r\nHost: other.host\r\n\r\n";
		String first = "POST " + this.proxy.url("/first") + " HTTP/1.1\r\nHost: ok.com:" + this.proxy.port()
				+ "\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n";
		assertThat(this.proxy.ask(first + "ab" + second)).endsWith("POST /first ok.com:" + this.proxy.port() + " 2")
			.doesNotContain("second");
	}

	@Test
	void unreachableHostIsReported() throws IOException {
		int port;
		try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = closed.getLocalPort();
		}
		AllowListProxy other = new AllowListProxy(AllowList.of(List.of("ok.com:" + port)),
				(host) -> List.of(InetAddress.getLoopbackAddress()), (address) -> true, ProxyLimits.DEFAULT);
		assertThat(this.proxy.askOn(other, tunnel("ok.com:" + port))).startsWith("HTTP/1.1 502 unreachable");
	}

	@Test
	void hostThatResolvesToLoopbackIsRefused() throws IOException {
		AllowListProxy real = new AllowListProxy(
				AllowList.of(List.of("localhost:" + this.proxy.port(), "127.0.0.1:" + this.proxy.port())));
		assertThat(this.proxy.askOn(real, tunnel("localhost:" + this.proxy.port())))
			.startsWith("HTTP/1.1 403 forbidden_address");
		assertThat(this.proxy.askOn(real, tunnel("127.0.0.1:" + this.proxy.port())))
			.startsWith("HTTP/1.1 403 forbidden_address");
	}

	@Test
	void tunnelTransfersLargeAmountsInBothDirectionsAtOnce() throws Exception {
		long seed = System.nanoTime();
		byte[] bytes = new byte[3_000_000];
		new Random(seed).nextBytes(bytes);
		try (ServerSocket echo = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			AllowListProxy other = new AllowListProxy(AllowList.of(List.of("ok.com:" + echo.getLocalPort())),
					(host) -> List.of(InetAddress.getLoopbackAddress()), (address) -> true, ProxyLimits.DEFAULT);
			Thread server = new Thread(() -> echo(echo));
			server.start();
			assertThat(this.proxy.exchangeOn(other, tunnel("ok.com:" + echo.getLocalPort()), bytes)).as("seed %s", seed)
				.isEqualTo(bytes);
			server.join();
		}
	}

	private static void echo(ServerSocket echo) {
		try (Socket socket = echo.accept()) {
			socket.getInputStream().transferTo(socket.getOutputStream());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void fiftyConcurrentRequestsAreServed() throws Exception {
		ExecutorService clients = Executors.newFixedThreadPool(50);
		try {
			List<Callable<String>> calls = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				String path = "/" + i;
				calls.add(() -> this.proxy.get(path));
			}
			int i = 0;
			for (Future<String> answer : clients.invokeAll(calls)) {
				assertThat(answer.get()).contains("GET /" + i++ + " ok.com");
			}
		}
		finally {
			clients.shutdownNow();
		}
		assertThat(this.proxy.listener().report().allowed()).isEqualTo(50);
	}

}
