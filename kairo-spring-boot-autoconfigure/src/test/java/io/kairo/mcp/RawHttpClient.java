package io.kairo.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A client that writes requests to a server on the loopback interface as no library
 * would.
 */
final class RawHttpClient implements AutoCloseable {

	private final int port;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	RawHttpClient(int port) {
		this.port = port;
	}

	/**
	 * Returns the headers of a message to an MCP server, which a test can change.
	 */
	Map<String, String> headers(String session) {
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("Host", "127.0.0.1:" + this.port);
		headers.put("Accept", "application/json, text/event-stream");
		headers.put("Content-Type", "application/json");
		if (session != null) {
			headers.put("Mcp-Session-Id", session);
		}
		return headers;
	}

	/**
	 * Sends a whole request, and reads the response up to the end of the connection.
	 */
	Response exchange(String method, String path, Map<String, String> headers, String body) throws IOException {
		byte[] content = body.getBytes(StandardCharsets.UTF_8);
		Map<String, String> all = new LinkedHashMap<>(headers);
		all.put("Connection", "close");
		if (!method.equals("GET")) {
			all.putIfAbsent("Content-Length", String.valueOf(content.length));
		}
		try (Socket socket = send(method, path, all, content)) {
			return readAll(socket);
		}
	}

	/**
	 * Sends a request or its beginning, and leaves the connection open.
	 */
	Socket send(String method, String path, Map<String, String> headers, byte[] body) throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port);
		this.sockets.add(socket);
		socket.setSoTimeout(10_000);
		StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
		headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
		socket.getOutputStream().write(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
		try {
			socket.getOutputStream().write(body);
			socket.getOutputStream().flush();
		}
		catch (SocketException ex) {
			// refused before it was sent completely
		}
		return socket;
	}

	static Response readAll(Socket socket) throws IOException {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		InputStream input = socket.getInputStream();
		try {
			input.transferTo(all);
		}
		catch (SocketException ex) {
			// the server closes the connection with content unread
		}
		return Response.of(all.toString(StandardCharsets.UTF_8));
	}

	/**
	 * Reads the status of a response, and leaves the connection open.
	 */
	static int readStatus(Socket socket) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int next = socket.getInputStream().read(); next >= 0
				&& next != '\n'; next = socket.getInputStream().read()) {
			line.append((char) next);
		}
		return Response.of(line.toString()).status();
	}

	@Override
	public void close() throws IOException {
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	/**
	 * A response.
	 *
	 * @param status its status, 0 if there was none
	 * @param text the whole of it
	 */
	record Response(int status, String text) {

		static Response of(String text) {
			return new Response(text.startsWith("HTTP/1.1 ") ? Integer.parseInt(text.substring(9, 12)) : 0, text);
		}

		String header(String name) {
			return this.text.lines()
				.filter((line) -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
				.map((line) -> line.substring(name.length() + 1).strip())
				.findFirst()
				.orElse(null);
		}

	}

}
