package io.kairo.workspace.git;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.jspecify.annotations.Nullable;

/**
 * A server that runs {@code git http-backend} behind the HTTP server of the JDK.
 */
final class HttpGitServer implements AutoCloseable {

	private final HttpServer server;

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final Path base;

	private final AtomicInteger requests = new AtomicInteger();

	private final AtomicInteger downloads = new AtomicInteger();

	private final AtomicLong bytes = new AtomicLong();

	/** The required user and password, or null for anonymous access. */
	private volatile @Nullable String account;

	private volatile long diesAfter = Long.MAX_VALUE;

	private volatile boolean hangs;

	HttpGitServer(Path base) throws IOException {
		this.base = base;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", this::handle);
		this.server.setExecutor(this.executor);
		this.server.start();
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	void require(String userAndPassword) {
		this.account = userAndPassword;
	}

	void dieAfter(long count) {
		this.diesAfter = count;
	}

	void hang() {
		this.hangs = true;
	}

	int requests() {
		return this.requests.get();
	}

	/** Returns the number of responses with objects. */
	int downloads() {
		return this.downloads.get();
	}

	long bytes() {
		return this.bytes.get();
	}

	private void handle(HttpExchange exchange) throws IOException {
		this.requests.incrementAndGet();
		try (exchange) {
			if (this.hangs) {
				Thread.sleep(60_000);
			}
			String given = exchange.getRequestHeaders().getFirst("Authorization");
			String wanted = (this.account != null)
					? "Basic " + Base64.getEncoder().encodeToString(this.account.getBytes(StandardCharsets.UTF_8))
					: null;
			if (wanted != null && !wanted.equals(given)) {
				exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"git\"");
				exchange.sendResponseHeaders(401, -1);
				return;
			}
			answer(exchange);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void answer(HttpExchange exchange) throws IOException {
		byte[] body = exchange.getRequestBody().readAllBytes();
		ProcessBuilder builder = new ProcessBuilder("git", "http-backend");
		Map<String, String> environment = builder.environment();
		environment.put("GIT_PROJECT_ROOT", this.base.toString());
		environment.put("GIT_HTTP_EXPORT_ALL", "1");
		environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
		environment.put("REQUEST_METHOD", exchange.getRequestMethod());
		environment.put("PATH_INFO", exchange.getRequestURI().getPath());
		environment.put("REMOTE_USER", "ann");
		put(environment, "QUERY_STRING", exchange.getRequestURI().getQuery());
		put(environment, "CONTENT_TYPE", exchange.getRequestHeaders().getFirst("Content-Type"));
		put(environment, "GIT_PROTOCOL", exchange.getRequestHeaders().getFirst("Git-Protocol"));
		put(environment, "HTTP_CONTENT_ENCODING", exchange.getRequestHeaders().getFirst("Content-Encoding"));
		environment.put("CONTENT_LENGTH", String.valueOf(body.length));
		Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
		try (OutputStream input = process.getOutputStream()) {
			input.write(body);
		}
		catch (IOException ex) {
			// The process does not read its input to the end.
		}
		respond(exchange, process.getInputStream());
	}

	private static void put(Map<String, String> environment, String name, @Nullable String value) {
		if (value != null) {
			environment.put(name, value);
		}
	}

	private void respond(HttpExchange exchange, InputStream output) throws IOException {
		int status = 200;
		for (String line = line(output); !line.isEmpty(); line = line(output)) {
			int colon = line.indexOf(':');
			String name = line.substring(0, colon);
			String value = line.substring(colon + 1).strip();
			if (name.equalsIgnoreCase("Status")) {
				status = Integer.parseInt(value.substring(0, 3));
			}
			else {
				exchange.getResponseHeaders().add(name, value);
			}
		}
		byte[] body = output.readAllBytes();
		this.bytes.addAndGet(body.length);
		if (new String(body, StandardCharsets.ISO_8859_1).contains("PACK")) {
			this.downloads.incrementAndGet();
		}
		exchange.sendResponseHeaders(status, (body.length > this.diesAfter) ? body.length + 1000L : 0);
		exchange.getResponseBody().write(body, 0, (int) Math.min(body.length, this.diesAfter));
		if (body.length <= this.diesAfter) {
			exchange.getResponseBody().close();
		}
	}

	private static String line(InputStream input) throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int next = input.read(); next >= 0 && next != '\n'; next = input.read()) {
			line.write(next);
		}
		return line.toString(StandardCharsets.UTF_8).strip();
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.executor.shutdownNow();
	}

}
