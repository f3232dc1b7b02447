package demo;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The endpoint of a model that makes the calls of a script, one after the other, and
 * keeps what it is shown of their answers. Listens on the loopback interface.
 */
final class ScriptedModel implements AutoCloseable {

	private static final JsonMapper MAPPER = JsonMapper.shared();

	private static final Pattern COMMAND = Pattern.compile("bash_\\w+");

	/** The answers by the number of their step, as JSON. */
	private final Map<Integer, String> answers = new ConcurrentSkipListMap<>();

	private final HttpServer server;

	private final Protocol protocol;

	private final List<Step> script;

	ScriptedModel(Protocol protocol, List<Step> script) throws IOException {
		this.protocol = protocol;
		this.script = script;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(Executors.newCachedThreadPool());
		this.server.createContext("/", this::handle);
		this.server.start();
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	/**
	 * Returns what the model was shown as the answers, in the order of the script.
	 */
	List<String> answers() {
		return List.copyOf(this.answers.values());
	}

	private void handle(HttpExchange exchange) throws IOException {
		try (exchange) {
			byte[] body = exchange.getRequestBody().readAllBytes();
			if (!exchange.getRequestMethod().equals("POST") || body.length == 0) {
				exchange.sendResponseHeaders(200, -1);
				return;
			}
			JsonNode request = MAPPER.readTree(body);
			boolean streams = request.path("stream").asBoolean(exchange.getRequestURI().toString().contains("stream"));
			byte[] response = answer(request, streams).getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().set("Content-Type", streams ? "text/event-stream" : "application/json");
			exchange.sendResponseHeaders(200, response.length);
			try (OutputStream output = exchange.getResponseBody()) {
				output.write(response);
			}
		}
		catch (RuntimeException ex) {
			ex.printStackTrace();
			throw new UncheckedIOException(new IOException(ex));
		}
	}

	private String answer(JsonNode request, boolean streams) {
		List<String> results = this.protocol.results(request);
		for (int i = 0; i < results.size(); i++) {
			this.answers.putIfAbsent(i, results.get(i));
		}
		int next = results.size();
		String tool = (next < this.script.size()) ? this.protocol.tool(request, this.script.get(next).tool()) : null;
		if (tool == null) {
			return this.protocol.text("Done.", streams);
		}
		return this.protocol.call(request, next, tool, MAPPER.writeValueAsString(
				this.script.get(next).arguments((value) -> value.replace("{id}", command()))), streams);
	}

	private String command() {
		for (String answer : answers()) {
			Matcher id = COMMAND.matcher(answer);
			if (answer.contains("Started in the background") && id.find()) {
				return id.group();
			}
		}
		return "none";
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
