package io.kairo.mcp;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client that attacks a server until its standard input ends. It prints a line when it
 * begins, and the number of responses by status when it has ended.
 */
final class HostileClient {

	/** Marks the lines of the output that are not errors. */
	static final String MARK = "attack: ";

	/** Bounds what one attack does, whatever the server answers. */
	private static final int MAX_STEPS = 50_000;

	private final RawHttpClient http;

	private final Path workspace;

	private final String tenant;

	private final Map<String, AtomicInteger> answers = new ConcurrentSkipListMap<>();

	private final AtomicInteger steps = new AtomicInteger();

	private final AtomicInteger held = new AtomicInteger();

	private final ThreadLocal<String> session = new ThreadLocal<>();

	private HostileClient(int port, Path workspace, String tenant) {
		this.http = new RawHttpClient(port);
		this.workspace = workspace;
		this.tenant = tenant;
	}

	public static void main(String[] arguments) throws Exception {
		HostileAttack attack = HostileAttack.valueOf(arguments[0]);
		HostileClient client = new HostileClient(Integer.parseInt(arguments[1]), Path.of(arguments[2]),
				attack.tenant());
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < attack.threads(); i++) {
			threads.add(new Thread(() -> client.repeat(attack), String.valueOf(i)));
		}
		threads.forEach((thread) -> {
			thread.setDaemon(true);
			thread.start();
		});
		System.out.println(MARK + "begun");
		System.in.read();
		System.out.println(MARK + String.join(",", client.answers.keySet()));
		Runtime.getRuntime().halt(0);
	}

	private void repeat(HostileAttack attack) {
		while (this.steps.incrementAndGet() < MAX_STEPS) {
			try {
				attack.step(this);
			}
			catch (SocketTimeoutException ex) {
				count("timeout");
			}
			catch (IOException ex) {
				count("closed");
			}
			catch (Exception ex) {
				if (count(ex.toString()) == 1) {
					ex.printStackTrace();
				}
			}
		}
	}

	int count(String answer) {
		return this.answers.computeIfAbsent(answer, (key) -> new AtomicInteger()).incrementAndGet();
	}

	private int count(int status) {
		return count((status != 0) ? String.valueOf(status) : "closed");
	}

	Path workspace() {
		return this.workspace;
	}

	Map<String, String> headers(String session) {
		Map<String, String> headers = this.http.headers(session);
		headers.put("Test-Tenant", this.tenant);
		return headers;
	}

	/**
	 * Returns the headers of a message in the session of the current thread.
	 */
	Map<String, String> headers() throws IOException {
		if (this.session.get() == null) {
			this.session.set(open("client"));
			if (this.session.get() == null) {
				throw new IOException("No session");
			}
		}
		return headers(this.session.get());
	}

	/**
	 * Opens a session.
	 * @return its id, null if it was refused
	 */
	String open(String name) throws IOException {
		return post(headers(null), """
				{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
				"capabilities":{},"clientInfo":{"name":"%s","version":"1"}}}""".formatted(name))
			.header(McpEndpoint.SESSION_HEADER);
	}

	RawHttpClient.Response post(Map<String, String> headers, String body) throws IOException {
		RawHttpClient.Response response = this.http.exchange("POST", "/mcp", headers, body);
		count(response.status());
		return response;
	}

	static String call(String tool, Object... arguments) {
		StringBuilder json = new StringBuilder();
		for (int i = 0; i < arguments.length; i += 2) {
			Object value = arguments[i + 1];
			json.append((i > 0) ? "," : "")
				.append('"')
				.append(arguments[i])
				.append("\":")
				.append((value instanceof String) ? "\"" + value + "\"" : value);
		}
		return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":{%s}}}"
			.formatted(tool, json);
	}

	/**
	 * Sends a request, and leaves the connection open.
	 */
	Socket send(String method, Map<String, String> headers, String body) throws IOException {
		byte[] content = body.getBytes(StandardCharsets.UTF_8);
		Map<String, String> all = new TreeMap<>(headers);
		if (method.equals("POST") && !headers.containsKey("Transfer-Encoding")) {
			all.putIfAbsent("Content-Length", String.valueOf(content.length));
		}
		return this.http.send(method, "/mcp", all, content);
	}

	void countStatus(Socket socket) throws IOException {
		count(RawHttpClient.readStatus(socket));
	}

	boolean isFirstThread() {
		return Thread.currentThread().getName().equals("0");
	}

	/**
	 * Replaces a file with a named pipe, and the other way round. For one thread.
	 */
	void swap() throws IOException, InterruptedException {
		Path pipe = this.workspace.resolve("pipe");
		if (!Files.exists(pipe)) {
			new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
		}
		Path next = this.workspace.resolve("next");
		for (Path other : List.of(pipe, this.workspace.resolve(QuietTenant.FILE))) {
			Files.deleteIfExists(next);
			Files.createLink(next, other);
			Files.move(next, this.workspace.resolve("swapped"), StandardCopyOption.ATOMIC_MOVE);
		}
	}

	/**
	 * Posts messages up to a number: the web server, not the application, bounds the
	 * connections of a client.
	 */
	void postUnknownMethod() throws IOException, InterruptedException {
		if (this.held.incrementAndGet() <= 4000) {
			countStatus(send("POST", headers(), "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no/such/method\"}"));
		}
		else {
			Thread.sleep(1000);
		}
	}

	/**
	 * Opens sessions and streams up to a number, and keeps them.
	 */
	void hold() throws IOException, InterruptedException {
		int step = this.held.incrementAndGet();
		if (step <= 5000) {
			String session = open("client");
			if (step % 5 == 0 && session != null) {
				countStatus(send("GET", headers(session), ""));
			}
		}
		else {
			Thread.sleep(1000);
		}
	}

}
