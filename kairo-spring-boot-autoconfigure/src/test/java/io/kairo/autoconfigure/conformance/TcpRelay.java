package io.kairo.autoconfigure.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A relay of connections to a server on the loopback interface, which can be dropped as
 * by a client that is gone.
 */
final class TcpRelay implements AutoCloseable {

	private final int port;

	private final ServerSocket server;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	TcpRelay(int port) {
		try {
			this.port = port;
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start(this::accept);
	}

	int port() {
		return this.server.getLocalPort();
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.server.accept();
			Socket target = new Socket(InetAddress.getLoopbackAddress(), this.port);
			this.sockets.add(client);
			this.sockets.add(target);
			start(() -> relay(client, target));
			start(() -> relay(target, client));
		}
	}

	private static void relay(Socket from, Socket to) throws IOException {
		try (from; to; InputStream input = from.getInputStream(); OutputStream output = to.getOutputStream()) {
			input.transferTo(output);
		}
	}

	private static void start(Work work) {
		Thread thread = new Thread(() -> {
			try {
				work.run();
			}
			catch (IOException ex) {
				// the connection was dropped
			}
		});
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Drops all connections.
	 */
	void drop() throws IOException {
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		drop();
	}

	private interface Work {

		void run() throws IOException;

	}

}
