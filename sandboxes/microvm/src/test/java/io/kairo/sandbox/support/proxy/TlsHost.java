package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An HTTPS server on the loopback interface with a certificate for the host names
 * {@code ok.com} and {@code other.com}. It records requests, and answers with their line
 * by default.
 */
public final class TlsHost implements AutoCloseable {

	private static final char[] PASSWORD = "password".toCharArray();

	/** Created once, since it takes a second. */
	private static final SSLContext SSL = context();

	private final List<String> requests = new CopyOnWriteArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final HttpsServer server;

	private volatile HttpHandler handler = TlsHost::echo;

	public TlsHost() {
		try {
			this.server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		this.server.setHttpsConfigurator(new HttpsConfigurator(SSL));
		this.server.createContext("/", (exchange) -> {
			StringBuilder head = new StringBuilder(exchange.getRequestMethod() + " " + exchange.getRequestURI());
			exchange.getRequestHeaders()
				.forEach((name, values) -> values.forEach((value) -> head.append('\n').append(name + ": " + value)));
			this.requests.add(head.toString());
			try (exchange) {
				this.handler.handle(exchange);
			}
		});
		this.server.setExecutor(this.threads);
		this.server.start();
	}

	private static SSLContext context() {
		try {
			return context(keys());
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static KeyStore keys() throws Exception {
		Path directory = Files.createTempDirectory("keys-");
		Path store = directory.resolve("store");
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "host", "-keyalg", "EC", "-dname", "CN=ok.com", "-ext",
				"SAN=dns:ok.com,dns:other.com", "-storepass", new String(PASSWORD), "-keystore", store.toString())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream input = Files.newInputStream(store)) {
			keys.load(input, PASSWORD);
		}
		Files.delete(store);
		Files.delete(directory);
		return keys;
	}

	private static SSLContext context(KeyStore keys) throws Exception {
		KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		own.init(keys, PASSWORD);
		KeyStore authorities = KeyStore.getInstance("PKCS12");
		authorities.load(null, PASSWORD);
		authorities.setCertificateEntry("host", keys.getCertificate("host"));
		TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trusted.init(authorities);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
		return context;
	}

	private static void echo(HttpExchange exchange) throws IOException {
		int length = exchange.getRequestBody().readAllBytes().length;
		answer(exchange, exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + length);
	}

	/**
	 * Answers a request with a text.
	 */
	public static void answer(HttpExchange exchange, String text) throws IOException {
		byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
		exchange.sendResponseHeaders(200, (bytes.length > 0) ? bytes.length : -1);
		exchange.getResponseBody().write(bytes);
	}

	/**
	 * Replaces the answers.
	 */
	public void answers(HttpHandler handler) {
		this.handler = handler;
	}

	/**
	 * Returns a context that trusts the certificate of this host.
	 */
	public SSLContext ssl() {
		return SSL;
	}

	public int port() {
		return this.server.getAddress().getPort();
	}

	/**
	 * Returns the received requests: method and target, and the header fields, each on a
	 * line.
	 */
	public List<String> requests() {
		return this.requests;
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
