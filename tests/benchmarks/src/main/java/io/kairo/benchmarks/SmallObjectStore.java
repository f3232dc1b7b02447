package io.kairo.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * An object store in this JVM with one bucket: {@code work/file-0} and so on, each with
 * the same content. It answers listings on one page, which does not show changes, checks
 * the conditions of writes, and keeps the version of what is written without its content.
 */
final class SmallObjectStore implements AutoCloseable {

	static final String BUCKET = "bucket";

	static final String CONTENT = "x".repeat(10_000);

	private static final int MISSING = 404;

	private static final int FAILED_CONDITION = 412;

	private final HttpServer server;

	/** By the path of the object. */
	private final Map<String, String> versions = new ConcurrentHashMap<>();

	private final AtomicInteger version = new AtomicInteger();

	private final byte[] listing;

	SmallObjectStore(int objects) throws IOException {
		StringBuilder list = new StringBuilder("<ListBucketResult>");
		for (int i = 0; i < objects; i++) {
			this.versions.put("/" + BUCKET + "/work/file-" + i, etag(0));
			list.append("<Contents><Key>work/file-")
				.append(i)
				.append("</Key><ETag>")
				.append(etag(0).replace("\"", "&quot;"))
				.append("</ETag>")
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

	private static String etag(int version) {
		return "\"%032x\"".formatted(version);
	}

	private void handle(HttpExchange exchange) throws IOException {
		try (exchange) {
			exchange.getRequestBody().readAllBytes();
			String path = exchange.getRequestURI().getPath();
			String method = exchange.getRequestMethod();
			if (path.equals("/" + BUCKET)) {
				answer(exchange, 200, this.listing);
			}
			else if (method.equals("PUT") || method.equals("DELETE")) {
				answer(exchange, write(exchange, path, method.equals("PUT")), new byte[0]);
			}
			else {
				String etag = this.versions.get(path);
				if (etag != null) {
					exchange.getResponseHeaders().add("ETag", etag);
				}
				answer(exchange, (etag != null) ? 200 : MISSING, CONTENT.getBytes(StandardCharsets.UTF_8));
			}
		}
	}

	private int write(HttpExchange exchange, String path, boolean put) {
		String required = exchange.getRequestHeaders().getFirst("If-Match");
		boolean absent = exchange.getRequestHeaders().containsKey("If-None-Match");
		String made = put ? etag(this.version.incrementAndGet()) : null;
		boolean[] met = { true };
		this.versions.compute(path, (same, current) -> {
			met[0] = !(absent && current != null) && (required == null || required.equals(current));
			return met[0] ? made : current;
		});
		if (!met[0]) {
			return FAILED_CONDITION;
		}
		if (made != null) {
			exchange.getResponseHeaders().add("ETag", made);
		}
		return put ? 200 : 204;
	}

	private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
		boolean empty = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
		exchange.sendResponseHeaders(status, empty ? -1 : body.length);
		if (!empty) {
			exchange.getResponseBody().write(body);
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
