package io.kairo.mcp;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A tenant that reads a small file again and again, and sometimes runs a command, while
 * others do what they like.
 */
final class QuietTenant {

	static final String NAME = "quiet";

	static final String FILE = "small.txt";

	private static final long READ_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

	private static final int READS_PER_COMMAND = 10;

	private static final int MAX_FAILURES = 5;

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final URI server;

	private final String session;

	QuietTenant(int port) throws IOException, InterruptedException {
		this.server = URI.create("http://127.0.0.1:" + port + "/mcp");
		this.session = open();
	}

	/**
	 * Opens another session, with which the server ends those that have expired.
	 */
	String open() throws IOException, InterruptedException {
		return send("""
				{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
				"capabilities":{},"clientInfo":{"name":"quiet","version":"1"}}}""", null).headers()
			.firstValue(McpEndpoint.SESSION_HEADER)
			.orElseThrow();
	}

	private HttpResponse<String> send(String message, String session) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(this.server)
			.timeout(Duration.ofSeconds(60))
			.header("Content-Type", "application/json")
			.header("Accept", "application/json, text/event-stream")
			.header("Test-Tenant", NAME)
			.POST(BodyPublishers.ofString(message));
		if (session != null) {
			request.header(McpEndpoint.SESSION_HEADER, session);
		}
		return this.http.send(request.build(), BodyHandlers.ofString());
	}

	/**
	 * Calls tools at a constant rate for some time.
	 */
	Calls call(Duration time) throws InterruptedException {
		Calls calls = new Calls(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
		long started = System.nanoTime();
		long next = started;
		for (int i = 0; calls.failures().size() < MAX_FAILURES
				&& (i < READS_PER_COMMAND || System.nanoTime() - started < time.toNanos()); i++) {
			call(calls.reads(), calls.failures(), "Read", "file_path", FILE);
			if (i % READS_PER_COMMAND == 0) {
				call(calls.commands(), calls.failures(), "Bash", "command", "true");
			}
			next = Math.max(next + READ_NANOS, System.nanoTime());
			while (System.nanoTime() < next) {
				LockSupport.parkNanos(next - System.nanoTime());
			}
		}
		return calls;
	}

	private void call(List<Long> times, List<String> failures, String tool, String argument, String value)
			throws InterruptedException {
		long started = System.nanoTime();
		try {
			HttpResponse<String> response = send("""
					{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{"%s":"%s"}}}"""
				.formatted(tool, argument, value), this.session);
			times.add(System.nanoTime() - started);
			if (response.statusCode() != 200 || !response.body().contains("\"isError\":false")) {
				failures.add(tool + ": " + response.statusCode() + " " + response.body());
			}
		}
		catch (IOException ex) {
			failures.add(tool + ": " + ex);
		}
	}

	/**
	 * The calls of some time.
	 *
	 * @param reads the latencies of Read, in nanoseconds
	 * @param commands the latencies of Bash, in nanoseconds
	 * @param failures the responses that were errors
	 */
	record Calls(List<Long> reads, List<Long> commands, List<String> failures) {

		/**
		 * Returns a quantile of the latencies of Read, in milliseconds.
		 */
		double read(double quantile) {
			return quantile(this.reads, quantile);
		}

		/**
		 * Returns a quantile of the latencies of Bash, in milliseconds.
		 */
		double command(double quantile) {
			return quantile(this.commands, quantile);
		}

		private static double quantile(List<Long> times, double quantile) {
			List<Long> sorted = times.stream().sorted().toList();
			return sorted.isEmpty() ? Double.POSITIVE_INFINITY
					: sorted.get((int) Math.ceil(quantile * sorted.size()) - 1) / 1e6;
		}

	}

}
