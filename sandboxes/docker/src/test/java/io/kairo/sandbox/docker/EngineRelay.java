package io.kairo.sandbox.docker;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;

/**
 * A socket that passes everything on to the socket of an engine until it is cut or
 * stalled. Safe for use by several threads.
 */
final class EngineRelay implements AutoCloseable {

	private static final String PREFIX = "unix://";

	private final Path socket;

	private final Path engine;

	private final Set<SocketChannel> connections = new HashSet<>();

	private @Nullable ServerSocketChannel server;

	/** Above zero while nothing is passed on. */
	private volatile CountDownLatch stalled = new CountDownLatch(0);

	/**
	 * Creates a relay that passes everything on.
	 * @param socket the path of the new socket
	 * @param engine the address of the engine
	 * @throws IllegalArgumentException if that is no Unix domain socket
	 */
	EngineRelay(Path socket, String engine) throws IOException {
		if (!engine.startsWith(PREFIX)) {
			throw new IllegalArgumentException(engine + " is no Unix domain socket");
		}
		this.socket = socket;
		this.engine = Path.of(engine.substring(PREFIX.length()));
		restore();
	}

	URI address() {
		return URI.create(PREFIX + this.socket);
	}

	/**
	 * Ends all connections, and accepts no more.
	 */
	synchronized void cut() throws IOException {
		if (this.server != null) {
			this.server.close();
			this.server = null;
		}
		Files.deleteIfExists(this.socket);
		for (SocketChannel connection : this.connections) {
			connection.close();
		}
		this.stalled.countDown();
	}

	/**
	 * Keeps all connections, but passes nothing on until they are cut.
	 */
	synchronized void stall() {
		this.stalled = new CountDownLatch(1);
	}

	/**
	 * Accepts connections again, after they were cut.
	 */
	synchronized void restore() throws IOException {
		ServerSocketChannel opened = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
		opened.bind(UnixDomainSocketAddress.of(this.socket));
		this.server = opened;
		thread(() -> accept(opened));
	}

	@Override
	public void close() throws IOException {
		cut();
	}

	private void accept(ServerSocketChannel server) {
		try {
			while (true) {
				SocketChannel client = server.accept();
				thread(() -> relay(client));
			}
		}
		catch (IOException ex) {
			// cut
		}
	}

	private void relay(SocketChannel client) {
		List<SocketChannel> both = List.of();
		try (client; SocketChannel target = SocketChannel.open(UnixDomainSocketAddress.of(this.engine))) {
			both = List.of(client, target);
			if (register(both)) {
				Thread answers = thread(() -> pass(target, client));
				pass(client, target);
				answers.join();
			}
		}
		catch (IOException | InterruptedException ex) {
			// cut, or there is no engine
		}
		finally {
			forget(both);
		}
	}

	private synchronized boolean register(List<SocketChannel> both) {
		return this.server != null && this.connections.addAll(both);
	}

	private synchronized void forget(List<SocketChannel> both) {
		both.forEach(this.connections::remove);
	}

	/**
	 * Passes on until the end of one direction; an error ends both.
	 */
	private void pass(SocketChannel from, SocketChannel to) {
		ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
		try {
			int count;
			do {
				count = from.read(buffer.clear());
				this.stalled.await();
				buffer.flip();
				while (buffer.hasRemaining()) {
					to.write(buffer);
				}
			}
			while (count >= 0);
			to.shutdownOutput();
		}
		catch (IOException | InterruptedException ex) {
			close(from);
			close(to);
		}
	}

	private static void close(SocketChannel channel) {
		try {
			channel.close();
		}
		catch (IOException ex) {
			// closed anyway
		}
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task, "relay");
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

}
