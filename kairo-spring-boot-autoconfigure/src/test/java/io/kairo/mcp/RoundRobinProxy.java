package io.kairo.mcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * A proxy that sends each request to the next one of several servers.
 */
final class RoundRobinProxy implements AutoCloseable {

	private static final Set<String> OWN_HEADERS = Set.of("host", "connection", "content-length", "upgrade",
			"http2-settings", "transfer-encoding");

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final AtomicInteger requests = new AtomicInteger();

	private final List<Integer> ports;

	private final HttpServer server;

	RoundRobinProxy(List<Integer> ports) throws IOException {
		this.ports = ports;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.executor);
		this.server.createContext("/", this::forward);
		this.server.start();
	}

	int port() {
		return this.server.getAddress().getPort();
	}

	private void forward(HttpExchange exchange) throws IOException {
		int port = this.ports.get(this.requests.getAndIncrement() % this.ports.size());
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + port + exchange.getRequestURI()))
			.method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
		exchange.getRequestHeaders().forEach((name, values) -> {
			if (!OWN_HEADERS.contains(name.toLowerCase())) {
				values.forEach((value) -> request.header(name, value));
			}
		});
		try (exchange) {
			HttpResponse<byte[]> response = this.client.send(request.build(), BodyHandlers.ofByteArray());
			response.headers().map().forEach((name, values) -> {
				if (!OWN_HEADERS.contains(name.toLowerCase())) {
					values.forEach((value) -> exchange.getResponseHeaders().add(name, value));
				}
			});
			byte[] body = response.body();
			exchange.sendResponseHeaders(response.statusCode(), (body.length > 0) ? body.length : -1);
			exchange.getResponseBody().write(body);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.executor.shutdownNow();
	}

}
