package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * An HTTP server on the loopback interface of the host. It echoes the body of a request,
 * or answers "reached" if that is empty. A test that registers it is skipped if
 * {@code curl} is missing, unless bubblewrap is required.
 */
final class LoopbackServer implements BeforeEachCallback, AfterEachCallback, AutoCloseable {

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final HttpServer server;

	LoopbackServer() {
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		this.server.createContext("/", (exchange) -> {
			byte[] body = exchange.getRequestBody().readAllBytes();
			byte[] answer = (body.length > 0) ? body : "reached\n".getBytes(StandardCharsets.US_ASCII);
			exchange.sendResponseHeaders(200, answer.length);
			exchange.getResponseBody().write(answer);
			exchange.close();
		});
		this.server.setExecutor(this.threads);
		this.server.start();
	}

	int port() {
		return this.server.getAddress().getPort();
	}

	String allowedHost() {
		return "allowed.test:" + port();
	}

	static boolean isBubblewrapRequired() {
		return List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",", -1)).contains("bubblewrap");
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		assumeThat(Files.isExecutable(Path.of("/usr/bin/curl")) || isBubblewrapRequired()).as("curl is in /usr/bin")
			.isTrue();
	}

	@Override
	public void afterEach(ExtensionContext context) {
		close();
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
