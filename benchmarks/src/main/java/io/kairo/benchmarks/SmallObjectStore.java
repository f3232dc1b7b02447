package io.kairo.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * An object store in this JVM with one bucket that is only read: {@code work/file-0} and
 * so on, each with the same content. It answers listings on one page.
 */
final class SmallObjectStore implements AutoCloseable {

	static final String BUCKET = "bucket";

	static final String CONTENT = "x".repeat(10_000);

	private static final String ETAG = "\"00000000000000000000000000000001\"";

	private final HttpServer server;

	private final byte[] listing;

	SmallObjectStore(int objects) throws IOException {
		StringBuilder list = new StringBuilder("<ListBucketResult>");
		for (int i = 0; i < objects; i++) {
			list.append("<Contents><Key>work/file-")
				.append(i)
				.append("</Key><ETag>&quot;00000000000000000000000000000001&quot;</ETag>")
				.append("<LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>")
				.append(CONTENT.length())
				.append("</Size></Contents>");
		}
		this.listing = list.append("</ListBucketResult>").toString().getBytes(StandardCharsets.UTF_8);
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", this::handle);
		this.server.start();
	}

	URI endpoint() {
		return URI.create("http://127.0.0.1:" + this.server.getAddress().getPort());
	}

	private void handle(HttpExchange exchange) throws IOException {
		try (exchange) {
			boolean list = exchange.getRequestURI().getPath().equals("/" + BUCKET);
			byte[] body = list ? this.listing : CONTENT.getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().add("ETag", ETAG);
			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
