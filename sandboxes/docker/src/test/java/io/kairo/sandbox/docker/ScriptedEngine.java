package io.kairo.sandbox.docker;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An engine whose containers run a launcher that starts each command.
 */
final class ScriptedEngine implements AutoCloseable {

	private static final Pattern NETWORK = Pattern.compile("\"NetworkMode\":\"([^\"]*)\"");

	private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

	private static final byte[] STARTED = { 1, 0, 0, 0, 0, 0, 0, 5, 'S', 0, 0, 0, 0 };

	private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

	private final ConcurrentLinkedQueue<Socket> open = new ConcurrentLinkedQueue<>();

	/** The requests to create a container. */
	final List<String> requests = new CopyOnWriteArrayList<>();

	/** The containers that have to be created at once; no request waits for more. */
	private volatile CountDownLatch expected = new CountDownLatch(3);

	/** The number of containers that are not created. */
	volatile int refused;

	ScriptedEngine() throws IOException {
		run(() -> {
			while (true) {
				Socket socket = this.server.accept();
				this.open.add(socket);
				run(() -> serve(socket));
			}
		});
	}

	/**
	 * Sets the number of containers that have to be created at once.
	 */
	void expect(int number) {
		this.expected = new CountDownLatch(number);
	}

	/**
	 * Returns the number of containers that were expected and not requested.
	 */
	long missing() {
		return this.expected.getCount();
	}

	URI address() {
		return URI.create("tcp://127.0.0.1:" + this.server.getLocalPort());
	}

	private static void run(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException | InterruptedException ex) {
				// the test has ended, or a connection
			}
		});
		thread.setDaemon(true);
		thread.start();
	}

	private void serve(Socket socket) throws IOException, InterruptedException {
		DataInputStream input = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
		OutputStream output = socket.getOutputStream();
		while (true) {
			String head = head(input);
			if (head.contains("/attach")) {
				answer(output, "101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp", null);
				startCommands(input, output);
				return;
			}
			Matcher length = LENGTH.matcher(head);
			String body = length.find()
					? new String(input.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.UTF_8) : "";
			if (!head.contains("/containers/create")) {
				answer(output, head.startsWith("GET") ? "404 Not Found" : "204 No Content",
						head.startsWith("GET") ? "{\"message\":\"none\"}" : null);
				continue;
			}
			int number = create(body);
			this.expected.countDown();
			this.expected.await(500, TimeUnit.MILLISECONDS);
			answer(output, (number > this.refused) ? "201 Created" : "500 Internal Server Error",
					"{\"Id\":\"c" + number + "\",\"message\":\"refused\"}");
		}
	}

	private synchronized int create(String body) {
		this.requests.add(body);
		return this.requests.size();
	}

	/**
	 * Returns the networks of the containers.
	 */
	List<String> networks() {
		return this.requests.stream()
			.map(NETWORK::matcher)
			.map((network) -> network.find() ? network.group(1) : "")
			.toList();
	}

	private static String head(DataInputStream input) throws IOException {
		StringBuilder head = new StringBuilder();
		while (head.indexOf("\r\n\r\n") < 0) {
			head.append((char) input.readUnsignedByte());
		}
		return head.toString();
	}

	private static void answer(OutputStream output, String status, String body) throws IOException {
		String length = (body != null) ? "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() : "";
		output.write(("HTTP/1.1 " + status + length + "\r\n\r\n" + ((body != null) ? body : ""))
			.getBytes(StandardCharsets.UTF_8));
		output.flush();
	}

	private static void startCommands(DataInputStream input, OutputStream output) throws IOException {
		while (true) {
			int letter = input.read();
			if (letter < 0) {
				throw new EOFException();
			}
			input.skipNBytes(input.readInt());
			if (letter == 'R') {
				output.write(STARTED);
				output.flush();
			}
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		for (Socket socket : this.open) {
			socket.close();
		}
	}

	@FunctionalInterface
	private interface Task {

		void run() throws IOException, InterruptedException;

	}

}
