package io.kairo.sandbox.bubblewrap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@code git http-backend} for requests with a certain field {@code Authorization},
 * and answers others with 401.
 *
 * @param base the directory of the repositories
 * @param authorization the required value
 */
record GitBackend(Path base, String authorization) implements HttpHandler {

	@Override
	public void handle(HttpExchange exchange) throws IOException {
		byte[] body = exchange.getRequestBody().readAllBytes();
		if (!this.authorization.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
			exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"git\"");
			exchange.sendResponseHeaders(401, -1);
			return;
		}
		ProcessBuilder builder = new ProcessBuilder("git", "http-backend");
		Map<String, String> environment = builder.environment();
		environment.put("GIT_PROJECT_ROOT", this.base.toString());
		environment.put("GIT_HTTP_EXPORT_ALL", "1");
		environment.put("REMOTE_USER", "robot");
		environment.put("REQUEST_METHOD", exchange.getRequestMethod());
		environment.put("PATH_INFO", exchange.getRequestURI().getPath());
		environment.put("CONTENT_LENGTH", "" + body.length);
		put(environment, "QUERY_STRING", exchange.getRequestURI().getQuery());
		put(environment, "CONTENT_TYPE", exchange.getRequestHeaders().getFirst("Content-Type"));
		put(environment, "GIT_PROTOCOL", exchange.getRequestHeaders().getFirst("Git-Protocol"));
		put(environment, "HTTP_CONTENT_ENCODING", exchange.getRequestHeaders().getFirst("Content-Encoding"));
		Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
		try (OutputStream input = process.getOutputStream()) {
			input.write(body);
		}
		respond(exchange, process.getInputStream());
	}

	private static void put(Map<String, String> environment, String name, @Nullable String value) {
		if (value != null) {
			environment.put(name, value);
		}
	}

	private static void respond(HttpExchange exchange, InputStream output) throws IOException {
		int status = 200;
		for (String line = line(output); !line.isEmpty(); line = line(output)) {
			int colon = line.indexOf(':');
			String value = line.substring(colon + 1).strip();
			if (line.startsWith("Status:")) {
				status = Integer.parseInt(value.substring(0, 3));
			}
			else {
				exchange.getResponseHeaders().add(line.substring(0, colon), value);
			}
		}
		exchange.sendResponseHeaders(status, 0);
		output.transferTo(exchange.getResponseBody());
		exchange.getResponseBody().close();
	}

	private static String line(InputStream input) throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		for (int next = input.read(); next >= 0 && next != '\n'; next = input.read()) {
			line.write(next);
		}
		return line.toString(StandardCharsets.UTF_8).strip();
	}

}
