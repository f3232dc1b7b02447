package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;

import com.sun.net.httpserver.HttpServer;
import io.kairo.api.tenant.TenantContext;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts a proxy that listens on a Unix domain socket, and a server on the loopback
 * interface that echoes each request line. Every host name resolves to the loopback
 * address, which the proxy permits.
 */
final class ProxyFixture implements BeforeEachCallback, AfterEachCallback {

	private final ProxyLimits limits;

	private Path directory;

	private HttpServer server;

	private ProxyListener listener;

	ProxyFixture() {
		this(ProxyLimits.DEFAULT);
	}

	ProxyFixture(ProxyLimits limits) {
		this.limits = limits;
	}

	static ProxyLimits limits(int connections, Duration timeout) {
		return new ProxyLimits(connections, 2048, timeout, timeout, timeout);
	}

	@Override
	public void beforeEach(ExtensionContext context) throws IOException {
		this.directory = Files.createTempDirectory("proxy-");
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
		this.server.createContext("/", (exchange) -> {
			byte[] body = exchange.getRequestBody().readAllBytes();
			String text = exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
					+ exchange.getRequestHeaders().getFirst("Host") + " " + body.length;
			if (exchange.getRequestURI().getPath().equals("/redirect")) {
				exchange.getResponseHeaders().add("Location", "http://evil.com:" + port() + "/");
				exchange.sendResponseHeaders(302, -1);
			}
			else {
				exchange.sendResponseHeaders(200, text.length());
				exchange.getResponseBody().write(text.getBytes(StandardCharsets.US_ASCII));
			}
			exchange.close();
		});
		this.server.start();
		AllowList allowed = AllowList.of(List.of("ok.com:" + port(), "*.ok.com:" + port()));
		this.listener = new AllowListProxy(allowed, (host) -> List.of(InetAddress.getLoopbackAddress()),
				(address) -> true, this.limits)
			.listen(this.directory.resolve("proxy"), TenantContext.SINGLE);
	}

	@Override
	public void afterEach(ExtensionContext context) throws IOException {
		this.listener.close();
		this.server.stop(0);
		Files.delete(this.directory.resolve("proxy"));
		Files.delete(this.directory);
	}

	int port() {
		return this.server.getAddress().getPort();
	}

	ProxyListener listener() {
		return this.listener;
	}

	String url(String path) {
		return "http://ok.com:" + port() + path;
	}

	Connection connect() throws IOException {
		return connect(this.directory.resolve("proxy"));
	}

	static Connection connect(Path socket) throws IOException {
		return new Connection(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
	}

	/**
	 * Sends a text on a new connection and returns the complete answer.
	 */
	String ask(String text) throws IOException {
		try (Connection connection = connect()) {
			connection.send(text);
			return connection.readAll();
		}
	}

	/**
	 * Sends a text to another proxy and returns the head of the answer.
	 */
	String askOn(AllowListProxy other, String text) throws IOException {
		Path socket = this.directory.resolve("other");
		try (ProxyListener listening = other.listen(socket, TenantContext.SINGLE);
				Connection connection = new Connection(SocketChannel.open(UnixDomainSocketAddress.of(socket)))) {
			connection.send(text);
			return connection.readHead();
		}
		finally {
			Files.delete(socket);
		}
	}

	/**
	 * Opens a tunnel through another proxy, sends bytes followed by an end of stream, and
	 * returns the bytes received meanwhile.
	 */
	byte[] exchangeOn(AllowListProxy other, String text, byte[] bytes) throws Exception {
		Path socket = this.directory.resolve("other");
		try (ProxyListener listening = other.listen(socket, TenantContext.SINGLE);
				Connection connection = new Connection(SocketChannel.open(UnixDomainSocketAddress.of(socket)))) {
			connection.send(text);
			connection.readHead();
			FutureTask<byte[]> answer = new FutureTask<>(() -> connection.input().readAllBytes());
			new Thread(answer).start();
			// not as a stream, which cannot be written to while another thread reads
			for (ByteBuffer rest = ByteBuffer.wrap(bytes); rest.hasRemaining();) {
				connection.channel().write(rest);
			}
			connection.channel().shutdownOutput();
			return answer.get();
		}
		finally {
			Files.delete(socket);
		}
	}

	String get(String path) throws IOException {
		return ask("GET " + url(path) + " HTTP/1.1\r\nHost: ok.com:" + port() + "\r\n\r\n");
	}

	record Connection(SocketChannel channel) implements AutoCloseable {

		void send(String text) throws IOException {
			output().write(text.getBytes(StandardCharsets.ISO_8859_1));
		}

		OutputStream output() {
			return Channels.newOutputStream(this.channel);
		}

		InputStream input() {
			return Channels.newInputStream(this.channel);
		}

		String readAll() throws IOException {
			return new String(input().readAllBytes(), StandardCharsets.ISO_8859_1);
		}

		/**
		 * Reads the head of an answer without any byte that follows it.
		 */
		String readHead() throws IOException {
			StringBuilder head = new StringBuilder();
			InputStream input = input();
			for (int next = input.read(); next >= 0; next = input.read()) {
				head.append((char) next);
				if (head.toString().endsWith("\r\n\r\n")) {
					break;
				}
			}
			return head.toString();
		}

		@Override
		public void close() throws IOException {
			this.channel.close();
		}

	}

}
