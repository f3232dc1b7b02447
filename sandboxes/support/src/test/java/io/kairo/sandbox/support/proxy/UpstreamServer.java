package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An HTTP proxy on the loopback interface. It records the heads of requests, opens
 * tunnels to a port of this machine, whatever their host, and answers other requests with
 * everything that it has received.
 */
final class UpstreamServer implements AutoCloseable {

	private final List<String> heads = new CopyOnWriteArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final ServerSocket server;

	private volatile String refusal = "";

	UpstreamServer() {
		try {
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		this.threads.execute(this::accept);
	}

	String address() {
		return "proxy.test:" + this.server.getLocalPort();
	}

	/**
	 * Returns the heads of the requests so far.
	 */
	List<String> heads() {
		return this.heads;
	}

	/**
	 * Answers every request with a status line.
	 */
	void refuses(String status) {
		this.refusal = status;
	}

	private void accept() {
		while (!this.server.isClosed()) {
			try {
				Socket client = this.server.accept();
				this.threads.execute(() -> serve(client));
			}
			catch (IOException ex) {
				return;
			}
		}
	}

	private void serve(Socket client) {
		try (client) {
			String head = head(client.getInputStream());
			this.heads.add(head);
			OutputStream output = client.getOutputStream();
			if (!this.refusal.isEmpty()) {
				output.write((this.refusal + "\r\nProxy-Authenticate: Basic realm=\"corp\"\r\n\r\n" + head)
					.getBytes(StandardCharsets.ISO_8859_1));
			}
			else if (head.startsWith("CONNECT ")) {
				tunnel(client, Integer.parseInt(head.substring(head.indexOf(':') + 1, head.indexOf(" HTTP/1.1"))));
			}
			else {
				output.write(("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nX-Received: " + head.replace("\r\n", " ")
						+ "\r\nConnection: close\r\n\r\n" + head)
					.getBytes(StandardCharsets.ISO_8859_1));
				client.shutdownOutput();
				client.getInputStream().transferTo(OutputStream.nullOutputStream());
			}
		}
		catch (IOException ex) {
			// the client has left
		}
	}

	private void tunnel(Socket client, int port) throws IOException {
		try (Socket host = new Socket(InetAddress.getLoopbackAddress(), port)) {
			client.getOutputStream()
				.write("HTTP/1.1 200 OK\r\nVia: 1.1 corp\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
			this.threads.execute(() -> move(client, host));
			move(host, client);
		}
	}

	private static void move(Socket source, Socket sink) {
		try {
			source.getInputStream().transferTo(sink.getOutputStream());
			sink.shutdownOutput();
		}
		catch (IOException ex) {
			// one side has left
		}
	}

	private static String head(InputStream input) throws IOException {
		StringBuilder head = new StringBuilder();
		while (head.indexOf("\r\n\r\n") < 0) {
			int next = input.read();
			if (next < 0) {
				throw new IOException("No complete head: " + head);
			}
			head.append((char) next);
		}
		return head.toString();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		this.threads.shutdownNow();
	}

}
