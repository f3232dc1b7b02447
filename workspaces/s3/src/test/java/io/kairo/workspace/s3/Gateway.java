package io.kairo.workspace.s3;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Passes requests on to an S3 server, one for each key at a time: s3proxy checks
 * {@code If-Match} and writes in two steps, so that two concurrent writers may both
 * succeed. A fault can be put in the place of an answer.
 */
final class Gateway implements AutoCloseable {

	/** Answers nothing after the request was performed. */
	static final byte[] LOSE_ANSWER = new byte[0];

	/** Answers nothing without performing the request. */
	static final byte[] BREAK_OFF = {};

	private final ServerSocket socket;

	private final int target;

	private final ConcurrentMap<String, ReentrantLock> keys = new ConcurrentHashMap<>();

	private final AtomicInteger requests = new AtomicInteger();

	private volatile Fault fault = (method, path) -> null;

	private volatile int byteMillis;

	Gateway(int target) throws IOException {
		this.target = target;
		this.socket = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	URI endpoint() {
		return URI.create("http://127.0.0.1:" + this.socket.getLocalPort());
	}

	/**
	 * Returns the number of requests so far.
	 */
	int requests() {
		return this.requests.get();
	}

	void fault(Fault fault) {
		this.fault = fault;
	}

	/**
	 * Sends the answers to reads byte by byte.
	 * @param millis the time between two bytes, 0 for none
	 */
	void drip(int millis) {
		this.byteMillis = millis;
	}

	static byte[] error(int status, String code) {
		String body = "<?xml version=\"1.0\"?><Error><Code>" + code
				+ "</Code><Message>SECRET-MESSAGE</Message></Error>";
		return answer(status, body);
	}

	static byte[] answer(int status, String body) {
		return ("HTTP/1.1 " + status + " X\r\nContent-Type: application/xml\r\nConnection: close\r\nContent-Length: "
				+ body.length() + "\r\n\r\n" + body)
			.getBytes(StandardCharsets.UTF_8);
	}

	private void accept() {
		while (!this.socket.isClosed()) {
			try {
				Socket client = this.socket.accept();
				start(() -> serve(client));
			}
			catch (IOException ex) {
				return; // closed
			}
		}
	}

	private static void start(Runnable work) {
		Thread thread = new Thread(work, "gateway");
		thread.setDaemon(true);
		thread.start();
	}

	private void serve(Socket client) {
		try (client) {
			InputStream in = new BufferedInputStream(client.getInputStream());
			byte[] head = head(in);
			if (head.length == 0) {
				return;
			}
			String[] line = new String(head, StandardCharsets.ISO_8859_1).split(" ", 3);
			byte[] body = in.readNBytes(length(head));
			this.requests.incrementAndGet();
			byte[] instead = this.fault.find(line[0], line[1]);
			if (instead == null || instead == LOSE_ANSWER) {
				ReentrantLock lock = this.keys.computeIfAbsent(line[1], (key) -> new ReentrantLock());
				boolean write = line[0].equals("PUT") || line[0].equals("DELETE");
				if (write) {
					lock.lock();
				}
				try {
					byte[] answer = forward(head, body);
					if (instead == null) {
						write(client.getOutputStream(), answer, write);
					}
				}
				finally {
					if (write) {
						lock.unlock();
					}
				}
			}
			else {
				client.getOutputStream().write(instead);
			}
			client.getOutputStream().flush();
		}
		catch (IOException ex) {
			// One of the sides has gone.
		}
	}

	private void write(OutputStream out, byte[] answer, boolean atOnce) throws IOException {
		for (int i = 0; i < answer.length; i++) {
			if (atOnce || this.byteMillis == 0) {
				out.write(answer, i, answer.length - i);
				return;
			}
			out.write(answer[i]);
			out.flush();
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(this.byteMillis));
		}
	}

	private byte[] forward(byte[] head, byte[] body) throws IOException {
		try (Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target)) {
			String text = new String(head, StandardCharsets.ISO_8859_1).replaceAll("(?i)\r\nConnection: [^\r]*", "");
			server.getOutputStream()
				.write(text.replaceFirst("\r\n", "\r\nConnection: close\r\n").getBytes(StandardCharsets.ISO_8859_1));
			server.getOutputStream().write(body);
			server.getOutputStream().flush();
			return server.getInputStream().readAllBytes();
		}
	}

	private static byte[] head(InputStream in) throws IOException {
		ByteArrayOutputStream head = new ByteArrayOutputStream();
		int last = 0;
		for (int next = in.read(); next >= 0; next = in.read()) {
			head.write(next);
			last = (last << 8) | next;
			if (last == 0x0d0a0d0a) {
				return head.toByteArray();
			}
		}
		return new byte[0];
	}

	private static int length(byte[] head) {
		return new String(head, StandardCharsets.ISO_8859_1).lines()
			.filter((line) -> line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:"))
			.mapToInt((line) -> Integer.parseInt(line.substring(line.indexOf(':') + 1).strip()))
			.findFirst()
			.orElse(0);
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	/**
	 * Decides about requests.
	 */
	@FunctionalInterface
	interface Fault {

		/**
		 * Returns what to answer instead of the server.
		 * @return null to pass the request on, {@link #LOSE_ANSWER} or {@link #BREAK_OFF}
		 */
		byte @Nullable [] find(String method, String path);

	}

}
