package io.kairo.sandbox.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands bytes on between clients and a server, and cuts connections at random: before or
 * after a piece was handed on, or within it.
 */
final class CuttingRelay implements AutoCloseable {

	private final ServerSocket server;

	private final int target;

	private final double chance;

	private final Set<Socket> open = ConcurrentHashMap.newKeySet();

	private final AtomicInteger connections = new AtomicInteger();

	private final AtomicInteger cuts = new AtomicInteger();

	/** Number of pieces that clients have sent, at least one for each request. */
	private final AtomicInteger requests = new AtomicInteger();

	/** Number of bytes that clients have sent. */
	private final AtomicLong sent = new AtomicLong();

	/** Number of bytes that the server has sent. */
	private final AtomicLong received = new AtomicLong();

	private volatile boolean refusing;

	/**
	 * Creates a relay.
	 * @param target the port of the server
	 * @param chance the probability that a connection is cut at a message
	 */
	CuttingRelay(int target, double chance) throws IOException {
		this.server = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
		this.target = target;
		this.chance = chance;
		start(this::accept);
	}

	/**
	 * Creates a relay.
	 * @param target the port of the server
	 * @param chance the probability that a connection is cut at a message
	 */
	static CuttingRelay to(int target, double chance) {
		try {
			return new CuttingRelay(target, chance);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	int port() {
		return this.server.getLocalPort();
	}

	int connections() {
		return this.connections.get();
	}

	int cuts() {
		return this.cuts.get();
	}

	int requests() {
		return this.requests.get();
	}

	long sent() {
		return this.sent.get();
	}

	long received() {
		return this.received.get();
	}

	/**
	 * Cuts all connections, and lets through no others until it is called with false.
	 */
	void refuse(boolean refusing) {
		this.refusing = refusing;
		if (refusing) {
			this.open.forEach(CuttingRelay::close);
		}
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.server.accept();
				if (this.refusing) {
					close(client);
					continue;
				}
				this.connections.incrementAndGet();
				Socket worker = new Socket(InetAddress.getLoopbackAddress(), this.target);
				client.setTcpNoDelay(true);
				worker.setTcpNoDelay(true);
				this.open.add(client);
				this.open.add(worker);
				start(() -> copy(client, worker, this.sent));
				start(() -> copy(worker, client, this.received));
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private void copy(Socket from, Socket to, AtomicLong total) {
		byte[] piece = new byte[8192];
		try {
			InputStream source = from.getInputStream();
			OutputStream sink = to.getOutputStream();
			for (int count = source.read(piece); count >= 0; count = source.read(piece)) {
				total.addAndGet(count);
				if (total == this.sent) {
					this.requests.incrementAndGet();
				}
				ThreadLocalRandom random = ThreadLocalRandom.current();
				// the chance is that of a message, which has any number of full pieces
				boolean cut = random.nextDouble() < ((count < piece.length) ? this.chance : this.chance / 50);
				sink.write(piece, 0, cut ? random.nextInt(count + 1) : count);
				if (cut) {
					this.cuts.incrementAndGet();
					break;
				}
			}
		}
		catch (IOException ex) {
			// cut from the other side
		}
		close(from);
		close(to);
		this.open.remove(from);
		this.open.remove(to);
	}

	private static void close(Socket socket) {
		try {
			socket.setSoLinger(true, 0);
			socket.close();
		}
		catch (IOException ex) {
			// it is closed
		}
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "cutting-relay");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		this.open.forEach(CuttingRelay::close);
	}

}
