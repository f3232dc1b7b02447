package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A server on the loopback interface of the host, that gives back what it is sent.
 */
final class LoopbackServer implements AfterEachCallback {

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

	String allowed() {
		return "allowed.test:" + port();
	}

	@Override
	public void afterEach(ExtensionContext context) {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
